// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.gpu;

import dev.jgin.moe.numeric.DType;
import java.util.Objects;
import java.util.Optional;

/**
 * How a {@link GpuEpEngine} works; equal on every rank.
 *
 * @param node what the ranks of this process share
 * @param blocks SMs for each kernel
 * @param backend how peers are reached
 * @param inputDtype type of the tokens in device memory, if it is another one than that of
 *     dispatched rows: then those must be FP8, and the dispatch kernel quantises as {@link
 *     dev.jgin.moe.numeric.BlockQuantizer} does
 * @param violations violations kept in full, of one operation; all are counted
 * @param ringSize PROXY: descriptors of a ring, a power of two
 */
public record GpuEpOptions(
    GpuNode node,
    KernelBlocks blocks,
    GpuBackend backend,
    Optional<DType> inputDtype,
    int violations,
    int ringSize) {
  private static final int VIOLATIONS = 4096;
  private static final int RING = 1024;

  /**
   * @throws IllegalArgumentException naming the value and the limit
   */
  public GpuEpOptions {
    Objects.requireNonNull(node, "node");
    Objects.requireNonNull(blocks, "blocks");
    Objects.requireNonNull(backend, "backend");
    Objects.requireNonNull(inputDtype, "inputDtype");
    if (violations < 1) {
      throw new IllegalArgumentException("violations = " + violations + ": keep at least 1");
    }
    if (ringSize < 2 || Integer.bitCount(ringSize) != 1) {
      throw new IllegalArgumentException(
          "ringSize = " + ringSize + ": it must be a power of two of at least 2");
    }
  }

  /** All SMs, {@link GpuBackend#AUTO}, tokens of the dispatched type. */
  public static GpuEpOptions on(GpuNode node) {
    return new GpuEpOptions(
        node, KernelBlocks.ALL, GpuBackend.AUTO, Optional.empty(), VIOLATIONS, RING);
  }

  /** The same with other SMs. */
  public GpuEpOptions withBlocks(KernelBlocks value) {
    return new GpuEpOptions(node, value, backend, inputDtype, violations, ringSize);
  }

  /** The same with another way to the peers. */
  public GpuEpOptions withBackend(GpuBackend value) {
    return new GpuEpOptions(node, blocks, value, inputDtype, violations, ringSize);
  }

  /** The same with tokens of another type. */
  public GpuEpOptions withInputDtype(DType value) {
    return new GpuEpOptions(node, blocks, backend, Optional.of(value), violations, ringSize);
  }

  /** The same with room for other numbers of violations. */
  public GpuEpOptions withViolations(int value) {
    return new GpuEpOptions(node, blocks, backend, inputDtype, value, ringSize);
  }
}
