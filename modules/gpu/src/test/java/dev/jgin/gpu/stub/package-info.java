// SPDX-License-Identifier: Apache-2.0

/**
 * A stand-in for the CUDA driver's library, compiled when tests run: it writes down what it is
 * called with and fails when asked to, so that the room is tested without a GPU.
 *
 * <p>It is found by {@code LD_LIBRARY_PATH}, in which the JVM must have a folder called {@code
 * stub}. Maven sets that. Elsewhere: {@code LD_LIBRARY_PATH=/some/stub java … }. Start with {@link
 * dev.jgin.gpu.stub.Stub}.
 */
package dev.jgin.gpu.stub;
