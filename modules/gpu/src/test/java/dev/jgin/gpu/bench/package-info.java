// SPDX-License-Identifier: Apache-2.0

/**
 * What calls of the driver and round trips between GPU and CPU cost from Java, beside the same in
 * C. Run by {@code scripts/gpu-bench}. Start with {@link dev.jgin.gpu.bench.CallBench}.
 */
package dev.jgin.gpu.bench;
