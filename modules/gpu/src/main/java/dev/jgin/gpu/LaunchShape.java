// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gpu;

/**
 * A one-dimensional launch.
 *
 * @param blocks blocks of the grid, at least 1
 * @param threads threads of a block, 1 to 1024
 * @param sharedBytes dynamic shared memory of a block
 * @param cooperative whether all blocks must be resident at once, so that they may wait for each
 *     other; the driver refuses a grid that cannot be
 * @param dependent whether it may start before its predecessor in the stream is done (programmatic
 *     dependent launch): the kernel itself waits, with {@code griddepcontrol.wait}, before it reads
 *     what the predecessor wrote
 */
public record LaunchShape(
    int blocks, int threads, long sharedBytes, boolean cooperative, boolean dependent) {
  private static final int MAX_THREADS = 1024;

  /**
   * @throws IllegalArgumentException naming the value and the limit
   */
  public LaunchShape {
    if (blocks < 1) {
      throw new IllegalArgumentException(blocks + " blocks: at least 1 is needed");
    }
    if (threads < 1 || threads > MAX_THREADS) {
      throw new IllegalArgumentException(
          threads + " threads: 1 to " + MAX_THREADS + " fit a block");
    }
    if (sharedBytes < 0 || sharedBytes > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          sharedBytes + " bytes of shared memory: 0 or more, and what the GPU has");
    }
  }

  /** A plain launch. */
  public static LaunchShape of(int blocks, int threads, long sharedBytes) {
    return new LaunchShape(blocks, threads, sharedBytes, false, false);
  }

  /** The same as a cooperative grid. */
  public LaunchShape asCooperative() {
    return new LaunchShape(blocks, threads, sharedBytes, true, dependent);
  }

  /** The same as a programmatic dependent of its predecessor. */
  public LaunchShape asDependent() {
    return new LaunchShape(blocks, threads, sharedBytes, cooperative, true);
  }
}
