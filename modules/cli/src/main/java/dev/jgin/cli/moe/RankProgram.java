// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.moe;

import dev.jgin.gin.spi.RankTask;
import java.util.List;

/** One rank: its streams in turn, each as far as it gets. */
record RankProgram(List<StreamProgram> streams) implements RankTask {
  @Override
  public Step step() {
    try {
      return stepStreams();
    } catch (Error e) {
      // Schedulers end a run at an exception; an error would end one thread, and the others wait.
      throw new IllegalStateException("a rank ended: " + e, e);
    }
  }

  private Step stepStreams() {
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
