// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.moe;

import dev.jgin.gin.spi.RankTask;
import java.util.List;

/** One rank: its streams in turn, each as far as it gets. */
record RankProgram(List<StreamProgram> streams) implements RankTask {
  @Override
  public Step step() {
    boolean done = true;
    boolean moved = false;
    for (StreamProgram stream : streams) {
      Step step = stream.step();
      done &= step == Step.DONE;
      moved |= step == Step.PROGRESS;
    }
    if (done) {
      return Step.DONE;
    }
    return moved ? Step.PROGRESS : Step.WAITING;
  }
}
