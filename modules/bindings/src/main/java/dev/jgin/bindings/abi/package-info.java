// SPDX-License-Identifier: Apache-2.0

/**
 * {@code jgin/abi.h}: every byte that Java and the CUDA kernels both read or write. Generated,
 * apart from this page.
 *
 * <p>The header is {@code cuda-kernels/include/jgin/abi.h}, and its comments say what each field
 * means. It declares no function, so nothing here needs a library: layouts and the constants of
 * {@code abi_h} serve on any machine.
 *
 * <p><b>What layouts do not say.</b> Fields named as addresses are device addresses: as the GPU
 * sees them, 0 for none. A struct in device memory is written on the host and copied as a whole. A
 * word of a {@code jgin_descriptor} carries its lap's phase in bit 63.
 */
package dev.jgin.bindings.abi;
