// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.gpu;

import dev.jgin.bindings.abi.jgin_shape;
import dev.jgin.gin.Communicator;
import dev.jgin.gpu.GpuContext;
import dev.jgin.moe.EpConfig;
import dev.jgin.moe.EpSizes;
import dev.jgin.moe.numeric.DType;
import dev.jgin.moe.plan.Placement;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * One rank's expert-parallel engine on a GPU: the memory and kernels of all its streams. The same
 * plan, layout and results, bit for bit, as {@link dev.jgin.moe.EpEngine}.
 *
 * <p>Over NVLINK, the only backend so far, the communicator says who the ranks are and carries
 * nothing; the barrier of the configuration does not matter, because a release at system scope by
 * one thread behind a meeting of all blocks speaks for every store.
 *
 * <p>One thread drives a stream at a time. Closing one engine of a world ends the whole world's
 * sending: its windows are gone.
 */
public final class GpuEpEngine implements AutoCloseable {
  private final Communicator comm;
  private final GpuContext context;
  private final EpConfig config;
  private final GpuEpOptions options;
  private final EpSizes sizes;
  private final Arena arena = Arena.ofShared();
  private final MemorySegment shape;
  private final List<GpuEpStream> streams = new ArrayList<>();
  private final List<GpuEpPlan> plans = new ArrayList<>();
  private List<EngineGroup.Member> members = List.of();
  private EngineGroup group;
  private boolean open = true;

  private GpuEpEngine(
      Communicator comm, GpuContext context, EpConfig config, GpuEpOptions options) {
    this.comm = comm;
    this.context = context;
    this.config = config;
    this.options = options;
    DType input = options.inputDtype().orElse(config.dtype());
    requireReachable();
    ShapeStruct.require(config, input, comm.size(), comm.contexts());
    this.sizes = EpSizes.of(config, comm.size());
    this.shape = jgin_shape.allocate(arena);
    ShapeStruct.fill(
        shape,
        config,
        sizes,
        input,
        new ShapeStruct.Place(comm.rank(), comm.size(), comm.contexts(), 0));
    requireBudget();
  }

  /**
   * Makes an engine. Collective: every rank makes it with equal configuration and options.
   *
   * @param context the GPU of this rank; several ranks may share one. It outlives the engine
   * @throws IllegalArgumentException if kernels cannot do what is configured, the memory exceeds
   *     the budget, GPUs do not reach each other, or ranks differ
   * @throws IllegalStateException if there are no kernels, or the GPU is too small for them
   * @throws dev.jgin.gin.DeadlineException naming the ranks that did not come
   */
  public static GpuEpEngine create(
      Communicator comm, GpuContext context, EpConfig config, GpuEpOptions options) {
    GpuEpEngine engine = new GpuEpEngine(comm, context, config, options);
    try {
      engine.meet();
      return engine;
    } catch (RuntimeException | Error e) {
      engine.free();
      throw e;
    }
  }

  private void requireReachable() {
    if (options.backend() == GpuBackend.PROXY) {
      throw new IllegalArgumentException(
          "backend PROXY: this engine does not drive a proxy yet; use NVLINK on GPUs of one"
              + " process, or the host engine");
    }
    if (options.node().ranks() != comm.size()) {
      throw new IllegalArgumentException(
          "%d of %d ranks are in this process: over NVLINK kernels use addresses of one process, and"
                  .formatted(options.node().ranks(), comm.size())
              + " ranks of other processes cannot be reached; run all ranks in one process");
    }
  }

  private void requireBudget() {
    long each = new RankMemory(shape, options.violations()).bytes();
    long plan = new PlanMemory(shape).bytes();
    long all = config.streams() * (each + plan);
    if (each > config.memoryBudgetBytes() || all > config.memoryBudgetBytes()) {
      throw new IllegalArgumentException(
          "%d streams of %d bytes of device memory each exceed the memory budget of %d bytes: lower"
                  .formatted(config.streams(), each + plan, config.memoryBudgetBytes())
              + " maxTokensPerRank, maxExpertRows, streams or hidden, or raise the budget");
    }
  }

  private void meet() {
    long patience = comm.options().timeoutNanos();
    Meeting meeting = options.node().meeting();
    String name = options.node().nextEngine(comm.rank());
    EngineGroup.Member mine =
        new EngineGroup.Member(new EngineGroup(comm.size(), config), config, options, context);
    members = meeting.meet(name + ": who", comm.rank(), EngineGroup.Member.class, mine, patience);
    EngineGroup.requireAlike(members);
    group = members.getFirst().group();
    boolean gated = EngineGroup.gated(members);
    options.node().setup().lock();
    try {
      for (EngineGroup.Member member : members) {
        context.enablePeer(member.context());
      }
      allocate(gated);
    } finally {
      options.node().setup().unlock();
    }
    for (int s = 0; s < streams.size(); s++) {
      List<GpuEpStream> all =
          meeting.meet(
              name + ": windows of stream " + s,
              comm.rank(),
              GpuEpStream.class,
              streams.get(s),
              patience);
      options.node().setup().lock();
      try {
        streams.get(s).connect(all);
      } finally {
        options.node().setup().unlock();
      }
    }
  }

  private void allocate(boolean gated) {
    Kernels kernels = options.node().kernels(context);
    for (int s = 0; s < config.streams(); s++) {
      jgin_shape.stream(shape, s);
      streams.add(new GpuEpStream(this, kernels, s, gated, arena));
    }
  }

  Communicator comm() {
    return comm;
  }

  GpuContext context() {
    return context;
  }

  GpuEpOptions options() {
    return options;
  }

  EngineGroup group() {
    return group;
  }

  /** {@code jgin_shape}. */
  MemorySegment shape() {
    return shape;
  }

  /** Rows that there is room for. */
  EpSizes sizes() {
    return sizes;
  }

  /** The configuration. */
  public EpConfig config() {
    return config;
  }

  /** This rank. */
  public int rank() {
    return comm.rank();
  }

  /** Number of ranks. */
  public int ranks() {
    return comm.size();
  }

  /** Which rank owns which expert. */
  public Placement placement() {
    return sizes.placement();
  }

  /** Device memory of one stream, in bytes, without its plans. */
  public long streamBytes() {
    return new RankMemory(shape, options.violations()).bytes();
  }

  /** Stream {@code index}, 0 to {@code config().streams() - 1}. */
  public GpuEpStream stream(int index) {
    return streams.get(index);
  }

  /** An empty plan, to be kept across dispatches with the same routing. Not collective. */
  public GpuEpPlan newPlan() {
    options.node().setup().lock();
    try {
      GpuEpPlan plan = new GpuEpPlan(this, context, config, shape, arena);
      plans.add(plan);
      return plan;
    } finally {
      options.node().setup().unlock();
    }
  }

  /**
   * Ends the world's sending, waits until no kernel of it runs, and frees this rank's memory. An
   * operation under way here is told to end.
   */
  @Override
  public void close() {
    if (!open) {
      return;
    }
    open = false;
    streams.forEach(stream -> stream.run().abortIfUnderWay());
    try {
      group.leave(comm.rank(), members);
    } finally {
      free();
    }
  }

  private void free() {
    RuntimeException failure = null;
    List<Runnable> all = new ArrayList<>();
    plans.forEach(plan -> all.add(plan::close));
    streams.forEach(stream -> all.add(stream::free));
    for (Runnable each : all) {
      try {
        each.run();
      } catch (RuntimeException e) {
        failure = failure == null ? e : failure;
      }
    }
    arena.close();
    if (failure != null) {
      throw failure;
    }
  }
}
