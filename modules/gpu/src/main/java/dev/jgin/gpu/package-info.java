// SPDX-License-Identifier: Apache-2.0

/**
 * CUDA devices, memory, streams, launches and graphs.
 *
 * <p>What sets up goes through JCuda; what is called for every layer (launches, queries, events,
 * graph replays) goes through prebuilt handles on the driver's own functions and allocates nothing.
 * Each object owns one handle of the driver and is closed; a context that is closed before what was
 * made in it says what was left. Nothing here knows of tokens or experts.
 *
 * <p>Start with {@link dev.jgin.gpu.Gpu}, then {@link dev.jgin.gpu.GpuContext} and {@link
 * dev.jgin.gpu.PreparedLaunch}.
 */
package dev.jgin.gpu;
