// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.gpu;

import dev.jgin.bindings.abi.abi_h;
import dev.jgin.gin.spi.RankTask.Step;
import dev.jgin.gpu.GpuContext;
import java.lang.foreign.Arena;
import java.util.List;

/**
 * Runs the operations of one {@link GpuEpStream}: which may begin, with what plan, what came of it.
 * One thread at a time.
 */
final class StreamRun implements AutoCloseable {
  private static final int DISPATCH = abi_h.JGIN_OP_DISPATCH();
  private static final int COMBINE = abi_h.JGIN_OP_COMBINE();

  private final GpuEpEngine engine;
  private final GpuContext context;
  private final int index;
  private final StreamMemory memory;
  private final CudaQueue queue;
  private final Outcome outcome;
  private final GpuDispatch result;
  private final boolean gated;
  private StreamSequence sequence;
  private int operation = DISPATCH;
  private GpuEpPlan plan;
  private long planGeneration;
  private boolean dispatched;
  private Throwable broken;

  StreamRun(
      GpuEpEngine engine,
      Kernels kernels,
      StreamMemory memory,
      int index,
      boolean gated,
      Arena arena) {
    this.engine = engine;
    this.context = engine.context();
    this.index = index;
    this.memory = memory;
    this.gated = gated;
    this.queue =
        new CudaQueue(
            context,
            "rank " + engine.rank() + " stream " + index,
            kernels,
            engine.options().blocks(),
            gated,
            engine.group().guard,
            arena);
    this.outcome = new Outcome(engine, memory, index);
    this.result = new GpuDispatch(memory, outcome.book());
  }

  /** Set-up, second part: the queues of all ranks. */
  void connect(List<CudaQueue> queues) {
    queue.setRank(memory.rank);
    sequence =
        new StreamSequence(
            engine.rank(),
            index,
            engine.group().ledger,
            queues,
            gated,
            engine.config().timeoutNanos(),
            System::nanoTime);
  }

  CudaQueue queue() {
    return queue;
  }

  ViolationBook book() {
    return outcome.book();
  }

  GpuDispatch result() {
    return result;
  }

  void requireDispatched() {
    if (!dispatched) {
      throw new IllegalStateException("stream " + index + ": no dispatch is finished");
    }
  }

  void beginCombine() {
    requireIdle();
    requireDispatched();
    if (plan.generation() != planGeneration) {
      throw new IllegalStateException(
          "stream "
              + index
              + ": the plan of the last dispatch has been planned anew since; combine first");
    }
    begin(COMBINE, plan);
  }

  void begin(int what, GpuEpPlan withPlan) {
    operation = what;
    outcome.begin(what);
    plan = withPlan;
    context.makeCurrent();
    plan.enter();
    try {
      if (what == DISPATCH) {
        planGeneration = plan.generation();
        dispatched = false;
        queue.use(plan.struct(), plan.cached());
        if (!plan.cached()) {
          plan.upload(queue.stream());
          queue.plan();
        }
      }
      sequence.begin(what, outcome.nextEpoch(what));
    } catch (RuntimeException | Error e) {
      plan.leave(false);
      broken = e;
      throw e;
    }
  }

  Step step(int what) {
    requireUsable();
    if (operation != what || !sequence.underWay()) {
      throw new IllegalStateException("stream " + index + ": this operation has not begun");
    }
    context.makeCurrent();
    try {
      Step step = sequence.step();
      if (step == Step.DONE) {
        boolean clean = outcome.take(what);
        plan.leave(what == DISPATCH && clean);
        if (what == DISPATCH) {
          dispatched = true;
          result.set(plan, outcome.epoch(what));
        }
      }
      return step;
    } catch (RuntimeException | Error e) {
      broken = e;
      throw e;
    }
  }

  void finish(int what) {
    int round = 0;
    while (true) {
      switch (step(what)) {
        case DONE -> {
          return;
        }
        case PROGRESS -> round = 0;
        case WAITING -> engine.comm().options().waiting().idle(round++);
      }
    }
  }

  private void requireUsable() {
    if (broken != null) {
      throw new IllegalStateException(
          "stream " + index + " takes no more work since it failed: " + broken.getMessage(),
          broken);
    }
  }

  void requireIdle() {
    requireUsable();
    if (sequence.underWay()) {
      throw new IllegalStateException(
          "stream "
              + index
              + ": its "
              + (operation == COMBINE ? "combine" : "dispatch")
              + " is under way; step it until it is done, or use another stream");
    }
  }

  // ---- replay of a captured layer; GpuEpLayer calls these

  GpuContext context() {
    return context;
  }

  int rank() {
    return engine.rank();
  }

  int ranks() {
    return engine.ranks();
  }

  boolean isGated() {
    return gated;
  }

  void requireReplayable(GpuEpPlan withPlan) {
    requireIdle();
    withPlan.requireOf(engine);
    if (!withPlan.cached()) {
      throw new IllegalStateException(
          "the plan has not been dispatched: a graph takes only plans whose counts are exchanged");
    }
  }

  void captureDispatchSend(GpuEpPlan withPlan) {
    queue.use(withPlan.struct(), true);
    sequence.captureSend(DISPATCH);
  }

  void captureCombineSend() {
    sequence.captureSend(COMBINE);
  }

  void captureReceive(boolean dispatch) {
    sequence.captureReceive(dispatch ? DISPATCH : COMBINE);
  }

  void beginReplay(GpuEpPlan withPlan) {
    plan = withPlan;
    planGeneration = plan.generation();
    plan.enter();
    dispatched = false;
    outcome.begin(COMBINE);
    outcome.begin(DISPATCH);
    sequence.announceReplay(outcome.nextEpoch(DISPATCH), outcome.nextEpoch(COMBINE));
  }

  void endReplay() {
    sequence.endReplay();
    try {
      outcome.take(DISPATCH);
      outcome.take(COMBINE);
    } catch (RuntimeException | Error e) {
      broken = e;
      throw e;
    } finally {
      plan.leave(false);
    }
    dispatched = true;
    result.set(plan, outcome.epoch(DISPATCH));
  }

  void abortIfUnderWay() {
    if (sequence != null && (sequence.underWay() || broken != null)) {
      memory.abort();
    }
  }

  @Override
  public void close() {
    queue.close();
  }
}
