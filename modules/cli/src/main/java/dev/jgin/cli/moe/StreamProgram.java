// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.moe;

import dev.jgin.gin.Communicator;
import dev.jgin.gin.spi.RankTask.Step;
import dev.jgin.moe.CombineMode;
import dev.jgin.moe.DispatchResult;
import dev.jgin.moe.EpStream;
import dev.jgin.moe.ExpertLayout;
import dev.jgin.moe.Phase;
import dev.jgin.moe.oracle.Verdict;
import dev.jgin.moe.oracle.Verifier;
import dev.jgin.moe.routing.Routing;

/**
 * One stream of one rank: stage, dispatch, experts, combine, compare, iteration after iteration.
 * Only dispatch and combine are timed, from the first step to the barrier and from there to the
 * end.
 */
final class StreamProgram {
  private enum State {
    STAGE,
    BEGIN_DISPATCH,
    DISPATCH,
    EXPERTS,
    BEGIN_COMBINE,
    COMBINE,
    COMPARE,
    DONE
  }

  private final World world;
  private final Communicator communicator;
  private final EpStream stream;
  private final StandInExperts experts;
  private final Gate gate;
  private final int stride;
  private State state = State.STAGE;
  private int index;
  private long round;
  private Routing routing;
  private long begun;
  private long passed;
  private long total;

  /** A program for every iteration whose number, modulo the streams, is that of its stream. */
  StreamProgram(World world, Communicator communicator, EpStream stream, Gate gate) {
    this.world = world;
    this.communicator = communicator;
    this.stream = stream;
    this.experts = new StandInExperts(world.shape, world.config);
    this.gate = gate;
    this.stride = world.config.streams();
    this.index = stream.index();
  }

  Step step() {
    return switch (state) {
      case STAGE -> stage();
      case BEGIN_DISPATCH -> beginDispatch();
      case DISPATCH -> dispatch();
      case EXPERTS -> experts();
      case BEGIN_COMBINE -> beginCombine();
      case COMBINE -> combine();
      case COMPARE -> compare();
      case DONE -> Step.DONE;
    };
  }

  private Step stage() {
    if (index >= world.batches.count()) {
      state = State.DONE;
      return Step.DONE;
    }
    int rank = communicator.rank();
    routing = world.batches.batch(index, rank);
    long epoch = Expectations.payloadEpoch(index, stride);
    for (int t = 0; t < routing.tokens(); t++) {
      world.payload.writeRow(rank, t, epoch, stream.input(), stream.inputOffset(t));
      world.payload.writeScales(rank, t, epoch, stream.input(), stream.inputScalesOffset(t));
    }
    return arrive(State.BEGIN_DISPATCH);
  }

  private Step beginDispatch() {
    if (!gate.open(round)) {
      return waitAtGate();
    }
    begun = communicator.nowNanos();
    passed = 0;
    stream.beginDispatch(routing);
    state = State.DISPATCH;
    return Step.PROGRESS;
  }

  private Step dispatch() {
    Step step = stream.stepDispatch();
    notePassing(stream.inspector().dispatchPhase());
    if (step != Step.DONE) {
      return step;
    }
    long end = communicator.nowNanos();
    total = end - begun;
    world.samples.add(Samples.Op.DISPATCH, index, passed - begun, stream.dispatched().sentRows());
    world.samples.add(Samples.Op.EPILOGUE, index, end - passed, stream.dispatched().rows());
    return arrive(State.EXPERTS);
  }

  private Step experts() {
    if (!gate.open(round)) {
      return waitAtGate();
    }
    experts.run(stream);
    return arrive(State.BEGIN_COMBINE);
  }

  private Step beginCombine() {
    if (!gate.open(round)) {
      return waitAtGate();
    }
    begun = communicator.nowNanos();
    passed = 0;
    stream.beginCombine();
    state = State.COMBINE;
    return Step.PROGRESS;
  }

  private Step combine() {
    Step step = stream.stepCombine();
    notePassing(stream.inspector().combinePhase());
    if (step != Step.DONE) {
      return step;
    }
    long end = communicator.nowNanos();
    total += end - begun;
    world.samples.add(Samples.Op.COMBINE, index, passed - begun, returnedRows());
    world.samples.add(Samples.Op.REDUCE, index, end - passed, routing.tokens());
    world.samples.add(Samples.Op.TOTAL, index, total, routing.tokens());
    return arrive(State.COMPARE);
  }

  /** Rows that this rank sent back: its expert rows, or one for each row it received. */
  private long returnedRows() {
    DispatchResult result = stream.dispatched();
    if (world.config.combine() == CombineMode.REDUCED) {
      return result.receivedRows();
    }
    long rows = 0;
    for (int e = 0; e < result.localExperts(); e++) {
      rows += result.expertRows(e);
    }
    return rows;
  }

  private Step compare() {
    if (!gate.open(round)) {
      return waitAtGate();
    }
    if (world.verify) {
      compareWithOracle();
    }
    world.dump.ifPresent(dump -> dump.rank(index, communicator.rank(), stream, routing));
    world.finishedOne();
    index += stride;
    state = State.STAGE;
    return Step.PROGRESS;
  }

  private void compareWithOracle() {
    int rank = communicator.rank();
    Verifier verifier = world.expectations.of(index).verifier();
    SeenDispatch seen = new SeenDispatch(stream.dispatched());
    Verdict dispatched =
        world.config.layout() == ExpertLayout.EXPANDED
            ? verifier.expertMajor(rank, seen)
            : verifier.perToken(rank, seen);
    Verdict combined =
        world.config.combine() == CombineMode.CANONICAL
            ? verifier.canonical(rank, stream.combined(), world.config.combineBytes())
            : verifier.reduced(rank, stream.combined(), world.config.combineBytes());
    world.found(dispatched, combined);
    world.expectations.release(index);
  }

  /** Notes when the barrier was passed: the first time a step leaves the operation behind it. */
  private void notePassing(Phase phase) {
    if (passed == 0 && phase.compareTo(Phase.RECEIVING) >= 0) {
      passed = communicator.nowNanos();
    }
  }

  private Step arrive(State next) {
    gate.arrive();
    round++;
    state = next;
    return Step.PROGRESS;
  }

  private Step waitAtGate() {
    communicator.progress();
    return Step.WAITING;
  }
}
