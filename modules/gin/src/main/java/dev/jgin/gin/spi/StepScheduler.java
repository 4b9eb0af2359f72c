// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gin.spi;

import java.util.List;

/** Runs the programs of all ranks of this process until each is done. */
@FunctionalInterface
public interface StepScheduler {

  /**
   * Runs {@code tasks}, the index being the rank.
   *
   * @throws RuntimeException the first exception a task threw, with those of other ranks suppressed
   *     in it; or {@link dev.jgin.gin.DeadlineException} if no task and no carrier event can ever
   *     move again
   */
  void run(List<? extends RankTask> tasks);
}
