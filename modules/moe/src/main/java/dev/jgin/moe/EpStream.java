// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe;

import dev.jgin.gin.Communicator;
import dev.jgin.gin.LaneFailedException;
import dev.jgin.gin.spi.RankTask.Step;
import dev.jgin.moe.check.Symptom;
import dev.jgin.moe.check.Violation;
import dev.jgin.moe.layout.CombineLayout;
import dev.jgin.moe.numeric.DType;
import dev.jgin.moe.routing.Routing;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

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
 * deadline. After a {@link LaneFailedException} a step may be called again once the lane works.
 *
 * <p>One thread at a time, the one that owns the communicator's contexts. After the first use steps
 * allocate nothing.
 */
public final class EpStream {
  private final Communicator comm;
  private final Geometry g;
  private final int index;
  private final StreamParts parts;
  private final DispatchOperation dispatch;
  private final CombineOperation combine;
  private final EpPlan ownPlan;
  private EpPlan plan;
  private long planGeneration;
  private Throwable broken;

  EpStream(Communicator comm, Geometry g, Arena arena, int index) {
    this.comm = comm;
    this.g = g;
    this.index = index;
    this.parts = new StreamParts(comm, g, arena, index);
    this.dispatch = parts.dispatch;
    this.combine = parts.combine;
    this.ownPlan = new EpPlan(g);
  }

  /** Position among the engine's streams. */
  public int index() {
    return index;
  }

  // ---- input

  /** Where token rows are read from, for callers that write them in place. */
  public MemorySegment input() {
    return parts.buffers.rawRows;
  }

  /** Where in {@link #input()} the payload of {@code token} begins: a multiple of 16. */
  public long inputOffset(int token) {
    return parts.staging.payloadAt(token);
  }

  /** Where in {@link #input()} the scales of {@code token} begin: a multiple of 16. */
  public long inputScalesOffset(int token) {
    return parts.staging.scalesAt(token);
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
    parts.staging.copy(payload, offset, scales, scalesOffset, tokens);
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
    parts.staging.quantize(type, dense, offset, tokens);
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
      parts.result.set(plan, dispatch.epoch);
    }
    return step;
  }

  /** Blocking {@link #beginDispatch(Routing)}. */
  public DispatchResult dispatch(Routing routing) {
    beginDispatch(routing);
    finish(dispatch);
    return parts.result;
  }

  /** Blocking {@link #beginDispatch(EpPlan)}. */
  public DispatchResult dispatch(EpPlan withPlan) {
    beginDispatch(withPlan);
    finish(dispatch);
    return parts.result;
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
    return parts.result;
  }

  // ---- combine

  /**
   * Where the experts write their output, row by row as in the {@link DispatchResult}, {@code
   * hidden} elements of the combine type each. In {@link ExpertLayout#EXPANDED} a row is one
   * expert's unweighted output and padding rows are ignored; in {@link
   * ExpertLayout#ONE_ROW_PER_TOKEN} it is the weighted sum over the row's local experts.
   */
  public MemorySegment expertOutput() {
    return parts.buffers.expertOutput;
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
    finish(combine);
    return combined();
  }

  /**
   * The combined rows, {@code [tokens][hidden]} dense in the combine type, valid until the next
   * combine begins; a token whose lanes are all masked has zeros. The segment may be longer.
   */
  public MemorySegment combined() {
    return parts.buffers.output;
  }

  // ---- checks

  /**
   * Under {@link ViolationPolicy#COLLECT}: what was found wrong since the stream was made, the
   * first 16,384 of it; {@link #violationCount} counts all.
   */
  public List<Violation> violations() {
    return parts.log.first();
  }

  /**
   * Under {@link ViolationPolicy#COLLECT}: how often a symptom was found since the stream was made.
   */
  public long violationCount(Symptom symptom) {
    return parts.log.count(symptom);
  }

  /** Received bytes, for tests and experiments. */
  public StreamInspector inspector() {
    return parts.inspector;
  }

  private void finish(Operation operation) {
    int round = 0;
    while (true) {
      switch (operation == dispatch ? stepDispatch() : stepCombine()) {
        case DONE -> {
          return;
        }
        case PROGRESS -> round = 0;
        case WAITING -> comm.options().waiting().idle(round++);
      }
    }
  }

  private Step guarded(Operation operation) {
    requireUsable();
    try {
      return operation.step();
    } catch (LaneFailedException e) {
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
