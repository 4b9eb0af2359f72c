// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.gpu;

import dev.jgin.bindings.abi.abi_h;
import dev.jgin.bindings.abi.jgin_rank;
import dev.jgin.bindings.abi.jgin_shape;
import dev.jgin.gin.spi.RankTask.Step;
import dev.jgin.gpu.GpuContext;
import dev.jgin.gpu.GpuStream;
import dev.jgin.moe.check.Symptom;
import dev.jgin.moe.check.Violation;
import dev.jgin.moe.routing.Routing;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * One batch in flight on one rank's GPU: write tokens, dispatch, run the experts, combine. The
 * shape of {@link dev.jgin.moe.EpStream}, with device addresses for segments.
 *
 * <p>Dispatch and combine are collective and come in non-blocking steps or as blocking calls; a
 * step is {@link Step#DONE} when the kernels are. Work of the caller between them (experts) goes
 * into {@link #cuda()}, or is complete before the next operation begins.
 *
 * <p>Not promised: that another rank is done when this one is; that input, expert output or results
 * stay as they are once the stream's next operation begins.
 *
 * <p>Steps throw, and the stream then takes no more work: {@link
 * dev.jgin.moe.check.ViolationException}, {@link dev.jgin.moe.CapacityException}, {@link
 * dev.jgin.gin.DeadlineException}, {@link KernelException}, {@link dev.jgin.gpu.CudaException}.
 *
 * <p>One thread at a time. Steps allocate nothing after their first use.
 */
public final class GpuEpStream {
  private static final int DISPATCH = abi_h.JGIN_OP_DISPATCH();
  private static final int COMBINE = abi_h.JGIN_OP_COMBINE();

  private final GpuEpEngine engine;
  private final GpuContext context;
  private final int index;
  private final StreamMemory memory;
  private final StreamRun run;
  private InputStaging staging;
  private GpuEpPlan ownPlan;

  GpuEpStream(GpuEpEngine engine, Kernels kernels, int index, boolean gated, Arena arena) {
    this.engine = engine;
    this.context = engine.context();
    this.index = index;
    this.memory =
        new StreamMemory(
            context,
            "rank " + engine.rank() + " stream " + index,
            engine.shape(),
            engine.options().violations(),
            engine.config().initialEpoch(),
            arena);
    try {
      this.run = new StreamRun(engine, kernels, memory, index, gated, arena);
    } catch (RuntimeException | Error e) {
      memory.close();
      throw e;
    }
  }

  /** Set-up, second part: {@code all} are the streams of this index, by rank. */
  void connect(List<GpuEpStream> all) {
    List<PeerTable.Windows> windows =
        all.stream().map(s -> new PeerTable.Windows(s.memory.self, s.memory.rank)).toList();
    try (Arena arena = Arena.ofConfined()) {
      memory.writePeers(PeerTable.of(windows.get(engine.rank()), windows, arena));
    }
    run.connect(all.stream().map(s -> s.run.queue()).toList());
  }

  /** How its kernels are run. */
  StreamRun run() {
    return run;
  }

  /** Position among the engine's streams. */
  public int index() {
    return index;
  }

  /** Where the kernels are enqueued; experts too, if they are to follow without a wait. */
  public GpuStream cuda() {
    return run.queue().stream();
  }

  // ---- input

  /** Where the tokens are read: {@code [tokens][hidden]} dense, in the input type. */
  public long inputAddress() {
    return jgin_rank.payload(memory.rank);
  }

  /** Where their scales are read: {@code [tokens][scale bytes]}; not if the kernel makes them. */
  public long inputScalesAddress() {
    return jgin_rank.scales(memory.rank);
  }

  /**
   * Copies the dense rows of {@code tokens} tokens into the input, in stream order; waits only for
   * the copy before it.
   *
   * @param payload {@code [tokens][hidden]} in the input type, from {@code offset} on
   * @param scales {@code [tokens][scale bytes]}; ignored if rows have none, or the kernel makes
   *     them
   * @throws IllegalArgumentException if there are more tokens than configured
   * @throws IllegalStateException if an operation is under way
   */
  public void stage(
      MemorySegment payload, long offset, MemorySegment scales, long scalesOffset, int tokens) {
    run.requireIdle();
    context.makeCurrent();
    if (staging == null) {
      staging = new InputStaging(context, memory, run.queue().stream());
    }
    staging.stage(payload, offset, scales, scalesOffset, tokens);
  }

  // ---- dispatch

  /**
   * Begins to dispatch the first {@code routing.tokens()} rows of the input.
   *
   * @throws IllegalArgumentException if the routing does not fit the configuration
   * @throws IllegalStateException if an operation is under way or the stream is unusable
   */
  public void beginDispatch(Routing routing) {
    run.requireIdle();
    if (ownPlan == null) {
      ownPlan = engine.newPlan();
    }
    ownPlan.plan(routing);
    beginDispatch(ownPlan);
  }

  /**
   * Begins to dispatch with a plan that is kept: see {@link GpuEpPlan}.
   *
   * @throws IllegalArgumentException if the plan is of another engine
   * @throws IllegalStateException if an operation is under way, the stream is unusable, or the plan
   *     is in its first dispatch on another stream
   */
  public void beginDispatch(GpuEpPlan withPlan) {
    run.requireIdle();
    withPlan.requireOf(engine);
    run.begin(DISPATCH, withPlan);
  }

  /** Advances the dispatch without blocking. */
  public Step stepDispatch() {
    return run.step(DISPATCH);
  }

  /** Blocking {@link #beginDispatch(Routing)}. */
  public GpuDispatch dispatch(Routing routing) {
    beginDispatch(routing);
    run.finish(DISPATCH);
    return run.result();
  }

  /** Blocking {@link #beginDispatch(GpuEpPlan)}. */
  public GpuDispatch dispatch(GpuEpPlan withPlan) {
    beginDispatch(withPlan);
    run.finish(DISPATCH);
    return run.result();
  }

  /**
   * What the last dispatch brought.
   *
   * @throws IllegalStateException if none is finished, or one is under way
   */
  public GpuDispatch dispatched() {
    run.requireDispatched();
    return run.result();
  }

  // ---- combine

  /**
   * Where the experts write their output, row by row as in the {@link GpuDispatch}: {@code
   * [rows][hidden]} dense, in the combine type. What a row holds is said at {@link
   * dev.jgin.moe.EpStream#expertOutput}.
   */
  public long expertOutputAddress() {
    return jgin_rank.expert_output(memory.rank);
  }

  /** Copies {@code from} to the expert output, and waits: for tests and experiments. */
  public void writeExpertOutput(MemorySegment from) {
    run.requireIdle();
    memory.write(expertOutputAddress(), from);
  }

  /**
   * Begins to return the expert output of the last dispatch.
   *
   * @throws IllegalStateException if an operation is under way, there was no dispatch, its plan has
   *     been planned anew since, or the stream is unusable
   */
  public void beginCombine() {
    run.beginCombine();
  }

  /** Advances the combine without blocking. */
  public Step stepCombine() {
    return run.step(COMBINE);
  }

  /** Blocking {@link #beginCombine}; returns {@link #combinedAddress()}. */
  public long combine() {
    beginCombine();
    run.finish(COMBINE);
    return combinedAddress();
  }

  /**
   * The combined rows, {@code [tokens][hidden]} dense in the combine type, valid until the next
   * combine begins; a token whose lanes are all masked has zeros.
   */
  public long combinedAddress() {
    return jgin_rank.output(memory.rank);
  }

  /** Copies the combined rows to host memory, and waits: for tests and experiments. */
  public MemorySegment readCombined(Arena arena) {
    long bytes = run.result().tokens() * jgin_shape.combine_bytes(memory.shape());
    return memory.read(combinedAddress(), bytes, arena);
  }

  // ---- checks

  /** Under {@link dev.jgin.moe.ViolationPolicy#COLLECT}: the first of what was found wrong. */
  public List<Violation> violations() {
    return run.book().first();
  }

  /**
   * Under {@link dev.jgin.moe.ViolationPolicy#COLLECT}: how often a symptom was found, among those
   * that were kept in full.
   */
  public long violationCount(Symptom symptom) {
    return run.book().count(symptom);
  }

  void free() {
    if (staging != null) {
      staging.close();
    }
    run.close();
    memory.close();
  }
}
