// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.contract;

import dev.jgin.gin.spi.RankTask;
import dev.jgin.moe.oracle.Verdict;
import java.util.ArrayList;
import java.util.List;

/**
 * One rank's part of a run: all its streams in turn, one step of one stream at a time, so that
 * every stream is begun before the first moves on.
 */
final class RankProgram implements RankTask {
  private final List<StreamProgram> streams = new ArrayList<>();
  private int next;
  private int waited;

  RankProgram(EpCase test, Expectations expectations, EngineUnderTest engine, int rank) {
    for (int s = 0; s < test.config().streams(); s++) {
      streams.add(new StreamProgram(test, expectations, engine, rank, s));
    }
  }

  @Override
  public Step step() {
    Step step = streams.get(next).step();
    next = (next + 1) % streams.size();
    waited = step == Step.PROGRESS ? 0 : waited + 1;
    if (streams.stream().allMatch(StreamProgram::isDone)) {
      return Step.DONE;
    }
    return waited < streams.size() ? Step.PROGRESS : Step.WAITING;
  }

  Verdict verdict() {
    Verdict verdict = new Verdict();
    streams.forEach(stream -> verdict.add(stream.verdict()));
    return verdict;
  }

  List<List<byte[]>> combined() {
    return streams.stream().map(StreamProgram::combined).toList();
  }
}
