// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.gpu;

/**
 * Streaming multiprocessors (SMs) given to each kernel: blocks of its grid, one an SM. 0 stands for
 * all that the GPU has. More are refused: they would not be resident at once.
 *
 * @param plan P, which turns ids into slots
 * @param dispatch A, which sends rows
 * @param epilogue B, which copies received rows to the experts
 * @param combine C, which returns rows
 * @param reduce D, which sums returned rows
 */
public record KernelBlocks(int plan, int dispatch, int epilogue, int combine, int reduce) {
  /** The whole GPU for each kernel. */
  public static final KernelBlocks ALL = all(0);

  /**
   * @throws IllegalArgumentException if one is negative
   */
  public KernelBlocks {
    if (Math.min(Math.min(plan, dispatch), Math.min(Math.min(epilogue, combine), reduce)) < 0) {
      throw new IllegalArgumentException(
          "SMs %d, %d, %d, %d, %d: 0 stands for all, fewer are not possible"
              .formatted(plan, dispatch, epilogue, combine, reduce));
    }
  }

  /** The same number for each kernel. */
  public static KernelBlocks all(int blocks) {
    return new KernelBlocks(blocks, blocks, blocks, blocks, blocks);
  }

  /** By {@code JGIN_KERNEL_…}. */
  int of(int kernel) {
    return switch (kernel) {
      case 0 -> plan;
      case 1 -> dispatch;
      case 2 -> epilogue;
      case 3 -> combine;
      default -> reduce;
    };
  }
}
