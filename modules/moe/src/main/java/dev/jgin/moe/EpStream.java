// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe;

import dev.jgin.gin.Barrier;
import dev.jgin.gin.BarrierOptions;
import dev.jgin.gin.Communicator;
import dev.jgin.gin.FenceLevel;
import dev.jgin.gin.FreshnessCheck;
import dev.jgin.gin.spi.RankTask.Step;
import dev.jgin.moe.check.Violation;
import dev.jgin.moe.layout.CombineLayout;
import dev.jgin.moe.numeric.DType;
import dev.jgin.moe.routing.Routing;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;

/**
 * One batch in flight on one rank: stage tokens, dispatch, run the experts, combine.
 *
 * <p>Dispatch and combine are collective and come in non-blocking steps ({@code begin…}, then
 * {@code step…} until {@link Step#DONE}) or as blocking calls. A stream has one operation under way
 * at a time; several streams may each have one, and every rank begins the operations of a stream in
 * the same order. A combine belongs to the dispatch before it.
 *
 * <p>Not promised: that another rank is done when this one is (it may be one epoch behind); that
 * input, expert output or results stay as they are once the stream's next operation begins.
 *
 * <p>Steps throw, and the stream then takes no more work: {@link
 * dev.jgin.moe.check.ViolationException} if a check fails, {@link CapacityException} if more rows
 * come than there is room for, {@link dev.jgin.gin.DeadlineException} if a wait passes its
 * deadline. After a {@link dev.jgin.gin.LaneFailedException} a step may be called again once the
 * lane works.
 *
 * <p>One thread at a time, the one that owns the communicator's contexts. After the first use steps
 * allocate nothing.
 */
public final class EpStream {
  private final Communicator comm;
  private final Geometry g;
  private final int index;
  private final StreamBuffers buffers;
  private final Staging staging;
  private final ViolationLog log;
  private final EpPlan ownPlan;
  private final DispatchOperation dispatch;
  private final CombineOperation combine;
  private final DispatchResult result;
  private final StreamInspector inspector;
  private EpPlan plan;
  private long planGeneration;
  private Throwable broken;

  EpStream(Communicator comm, Geometry g, Arena arena, int index) {
    this.comm = comm;
    this.g = g;
    this.index = index;
    int contexts = comm.contexts();
    this.buffers = new StreamBuffers(comm, g, index, arena);
    this.staging = new Staging(g, buffers);
    this.log = new ViolationLog(g.config.policy());
    this.ownPlan = new EpPlan(g);
    CountExchange counts = new CountExchange(g, buffers, log, index, arena);
    Freshness freshness = new Freshness(g, buffers, counts, new Wire(g.lines, 0, 0, arena));
    Origins origins = new Origins(g);
    EpilogueReport report = new EpilogueReport(g, buffers, log, index, contexts, arena);
    this.dispatch =
        new DispatchOperation(
            comm,
            g,
            barrier("dispatch", freshness::dispatched),
            buffers,
            counts,
            new Epilogue(g, buffers, origins, report, arena),
            log,
            arena,
            index);
    this.combine =
        new CombineOperation(
            comm,
            g,
            barrier("combine", freshness::returned),
            buffers,
            origins,
            new Reducer(g, buffers, log, index, contexts, arena),
            freshness,
            log,
            arena,
            index);
    this.result = new DispatchResult(g, buffers, origins, log);
    this.inspector = new StreamInspector(g, buffers, dispatch, combine);
  }

  private Barrier barrier(String operation, FreshnessCheck freshness) {
    return comm.barrier(
        "moe " + operation + " stream " + index,
        comm.world(),
        new BarrierOptions(
            g.config.barrier(), FenceLevel.PUT, g.config.initialEpoch(), Optional.of(freshness)));
  }

  /** Position among the engine's streams. */
  public int index() {
    return index;
  }

  // ---- input

  /** Where token rows are read from, for callers that write them in place. */
  public MemorySegment input() {
    return buffers.rawRows;
  }

  /** Where in {@link #input()} the payload of {@code token} begins: a multiple of 16. */
  public long inputOffset(int token) {
    return staging.payloadAt(token);
  }

  /** Where in {@link #input()} the scales of {@code token} begin: a multiple of 16. */
  public long inputScalesOffset(int token) {
    return staging.scalesAt(token);
  }

  /**
   * Copies the dense rows of {@code tokens} tokens into the input.
   *
   * @param payload {@code [tokens][hidden]} in the dispatched type, from {@code offset} on
   * @param scales {@code [tokens][scale bytes]} from {@code scalesOffset} on; ignored if rows have
   *     no scales
   * @throws IllegalArgumentException if there are more tokens than configured
   * @throws IllegalStateException if a dispatch is under way
   */
  public void stage(
      MemorySegment payload, long offset, MemorySegment scales, long scalesOffset, int tokens) {
    requireInputFree();
    staging.copy(payload, offset, scales, scalesOffset, tokens);
  }

  /**
   * Quantises the dense rows of {@code tokens} tokens into the input: FP8 with scales, as {@link
   * dev.jgin.moe.numeric.BlockQuantizer} does it.
   *
   * @param type type of the elements of {@code dense}, which is {@code [tokens][hidden]} from
   *     {@code offset} on
   * @throws IllegalArgumentException if rows are not FP8, or there are more tokens than configured
   * @throws IllegalStateException if a dispatch is under way
   */
  public void stageQuantized(DType type, MemorySegment dense, long offset, int tokens) {
    requireInputFree();
    staging.quantize(type, dense, offset, tokens);
  }

  private void requireInputFree() {
    if (dispatch.underWay()) {
      throw new IllegalStateException(
          "stream " + index + ": its dispatch still reads the input; step it until it is done");
    }
  }

  // ---- dispatch

  /**
   * Begins to dispatch the first {@code routing.tokens()} rows of the input.
   *
   * @throws IllegalArgumentException if the routing does not fit the configuration
   * @throws IllegalStateException if an operation is under way or the stream is unusable
   */
  public void beginDispatch(Routing routing) {
    requireIdle();
    ownPlan.inFirstDispatch = false;
    ownPlan.plan(routing);
    beginDispatch(ownPlan);
  }

  /**
   * Begins to dispatch with a plan that is kept: see {@link EpPlan}.
   *
   * @throws IllegalArgumentException if the plan is of another engine
   * @throws IllegalStateException if an operation is under way, the stream is unusable, or the plan
   *     is in its first dispatch on another stream
   */
  public void beginDispatch(EpPlan withPlan) {
    requireIdle();
    if (withPlan.geometry != g) {
      throw new IllegalArgumentException("the plan was made by another engine");
    }
    withPlan.requireNotInFirstDispatch();
    plan = withPlan;
    planGeneration = withPlan.generation;
    dispatch.begin(withPlan);
  }

  /** Advances the dispatch without blocking. */
  public Step stepDispatch() {
    Step step = guarded(dispatch);
    if (step == Step.DONE) {
      result.set(plan, dispatch.epoch);
    }
    return step;
  }

  /** Blocking {@link #beginDispatch(Routing)}. */
  public DispatchResult dispatch(Routing routing) {
    beginDispatch(routing);
    finishDispatch();
    return result;
  }

  /** Blocking {@link #beginDispatch(EpPlan)}. */
  public DispatchResult dispatch(EpPlan withPlan) {
    beginDispatch(withPlan);
    finishDispatch();
    return result;
  }

  private void finishDispatch() {
    for (int round = 0; ; ) {
      switch (stepDispatch()) {
        case DONE -> {
          return;
        }
        case PROGRESS -> round = 0;
        case WAITING -> comm.options().waiting().idle(round++);
      }
    }
  }

  /**
   * What the last dispatch brought.
   *
   * @throws IllegalStateException if none is finished, or one is under way
   */
  public DispatchResult dispatched() {
    if (plan == null || dispatch.phase() != Phase.DONE) {
      throw new IllegalStateException("stream " + index + ": no dispatch is finished");
    }
    return result;
  }

  // ---- combine

  /**
   * Where the experts write their output, row by row as in the {@link DispatchResult}, {@code
   * hidden} elements of the combine type each. In {@link ExpertLayout#EXPANDED} a row is one
   * expert's unweighted output and padding rows are ignored; in {@link
   * ExpertLayout#ONE_ROW_PER_TOKEN} it is the weighted sum over the row's local experts.
   */
  public MemorySegment expertOutput() {
    return buffers.expertOutput;
  }

  /** Where in {@link #expertOutput()} row {@code row} begins: a multiple of 16. */
  public long expertOutputOffset(long row) {
    return row * g.combineStride + CombineLayout.PAYLOAD;
  }

  /**
   * Begins to return the expert output of the last dispatch.
   *
   * @throws IllegalStateException if an operation is under way, there was no dispatch, its plan has
   *     been planned anew since, or the stream is unusable
   */
  public void beginCombine() {
    requireIdle();
    dispatched();
    if (plan.generation != planGeneration) {
      throw new IllegalStateException(
          "stream "
              + index
              + ": the plan of the last dispatch has been planned anew since; combine first");
    }
    combine.begin(plan);
  }

  /** Advances the combine without blocking. */
  public Step stepCombine() {
    return guarded(combine);
  }

  /** Blocking {@link #beginCombine}; returns {@link #combined()}. */
  public MemorySegment combine() {
    beginCombine();
    for (int round = 0; ; ) {
      switch (stepCombine()) {
        case DONE -> {
          return combined();
        }
        case PROGRESS -> round = 0;
        case WAITING -> comm.options().waiting().idle(round++);
      }
    }
  }

  /**
   * The combined rows, {@code [tokens][hidden]} dense in the combine type, valid until the next
   * combine begins; a token whose lanes are all masked has zeros. The segment may be longer.
   */
  public MemorySegment combined() {
    return buffers.output;
  }

  // ---- checks

  /** Under {@link ViolationPolicy#COLLECT}: everything found wrong since the stream was made. */
  public List<Violation> violations() {
    return log.all();
  }

  /** Received bytes, for tests and experiments. */
  public StreamInspector inspector() {
    return inspector;
  }

  private Step guarded(Operation operation) {
    requireUsable();
    try {
      return operation.step();
    } catch (dev.jgin.gin.LaneFailedException e) {
      throw e;
    } catch (RuntimeException e) {
      broken = e;
      String why = "stream " + index + " failed: " + e.getMessage();
      dispatch.barrier.poison(why);
      combine.barrier.poison(why);
      throw e;
    }
  }

  private void requireUsable() {
    if (broken != null) {
      throw new IllegalStateException(
          "stream " + index + " takes no more work since it failed: " + broken.getMessage(),
          broken);
    }
  }

  private void requireIdle() {
    requireUsable();
    if (dispatch.underWay() || combine.underWay()) {
      throw new IllegalStateException(
          "stream "
              + index
              + ": its "
              + (combine.underWay() ? "combine" : "dispatch")
              + " is under way; step it until it is done, or use another stream");
    }
  }
}
