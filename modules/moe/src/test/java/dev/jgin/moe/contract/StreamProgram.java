// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.contract;

import dev.jgin.gin.spi.RankTask.Step;
import dev.jgin.moe.oracle.RankInput;
import dev.jgin.moe.oracle.Verdict;
import dev.jgin.moe.oracle.Verifier;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * One stream of one rank: dispatch, verify, experts, combine, verify, epoch after epoch; or only
 * the first two.
 */
final class StreamProgram {
  private enum Phase {
    BEGIN,
    DISPATCH,
    COMBINE,
    DONE
  }

  private final EpCase test;
  private final Expectations expectations;
  private final EngineUnderTest engine;
  private final Experts experts;
  private final int rank;
  private final int stream;
  private final Verdict verdict = new Verdict();
  private final List<byte[]> combined = new ArrayList<>();
  private Phase phase = Phase.BEGIN;
  private int epoch = 1;
  private int combinesLeft;

  StreamProgram(
      EpCase test, Expectations expectations, EngineUnderTest engine, int rank, int stream) {
    this.test = test;
    this.expectations = expectations;
    this.engine = engine;
    this.experts = new Experts(test, rank);
    this.rank = rank;
    this.stream = stream;
  }

  Step step() {
    return switch (phase) {
      case BEGIN -> begin();
      case DISPATCH -> dispatch();
      case COMBINE -> combine();
      case DONE -> Step.DONE;
    };
  }

  boolean isDone() {
    return phase == Phase.DONE;
  }

  Verdict verdict() {
    return verdict;
  }

  List<byte[]> combined() {
    return combined;
  }

  private Step begin() {
    RankInput input = expectations.of(stream, epoch).input(rank);
    engine.beginDispatch(stream, input, test.batches().cached(epoch));
    phase = Phase.DISPATCH;
    return Step.PROGRESS;
  }

  private Step dispatch() {
    Step step = engine.stepDispatch(stream);
    if (step != Step.DONE) {
      return step;
    }
    Verifier verifier = new Verifier(expectations.of(stream, epoch));
    verdict.add(
        test.expanded()
            ? verifier.expertMajor(rank, engine.received(stream))
            : verifier.perToken(rank, engine.received(stream)));
    combinesLeft = test.combines();
    if (combinesLeft == 0) {
      endEpoch();
      return Step.PROGRESS;
    }
    experts.run(engine, stream);
    engine.beginCombine(stream);
    phase = Phase.COMBINE;
    return Step.PROGRESS;
  }

  private Step combine() {
    Step step = engine.stepCombine(stream);
    if (step != Step.DONE) {
      return step;
    }
    MemorySegment out = engine.combined(stream);
    Verifier verifier = new Verifier(expectations.of(stream, epoch));
    long stride = test.shape().combineRowBytes();
    verdict.add(
        test.canonical()
            ? verifier.canonical(rank, out, stride)
            : verifier.reduced(rank, out, stride));
    if (--combinesLeft > 0) {
      engine.beginCombine(stream);
      return Step.PROGRESS;
    }
    int tokens = expectations.of(stream, epoch).input(rank).routing().tokens();
    combined.add(out.asSlice(0, tokens * stride).toArray(ValueLayout.JAVA_BYTE));
    endEpoch();
    return Step.PROGRESS;
  }

  private void endEpoch() {
    phase = epoch++ == test.epochs() ? Phase.DONE : Phase.BEGIN;
  }
}
