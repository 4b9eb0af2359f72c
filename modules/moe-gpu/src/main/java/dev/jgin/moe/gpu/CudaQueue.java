// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.gpu;

import dev.jgin.bindings.abi.abi_h;
import dev.jgin.bindings.abi.jgin_launch;
import dev.jgin.gpu.GpuContext;
import dev.jgin.gpu.GpuEvent;
import dev.jgin.gpu.GpuStream;
import dev.jgin.gpu.LaunchShape;
import dev.jgin.gpu.PreparedLaunch;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** A {@link KernelQueue} of CUDA: a stream, five prepared launches, events. */
final class CudaQueue implements KernelQueue, AutoCloseable {
  private static final int PLAN = abi_h.JGIN_KERNEL_PLAN();
  private static final int[] SEND = {
    abi_h.JGIN_KERNEL_DISPATCH_SEND(), abi_h.JGIN_KERNEL_COMBINE_SEND()
  };
  private static final int[] RECEIVE = {
    abi_h.JGIN_KERNEL_DISPATCH_EPILOGUE(), abi_h.JGIN_KERNEL_COMBINE_REDUCE()
  };

  private final GpuStream stream;
  private final GpuEvent done;

  /** By operation and parity of the epoch: others may still wait for the one before. */
  private final GpuEvent[][] sent = new GpuEvent[2][2];

  private final PreparedLaunch[] launches = new PreparedLaunch[Kernels.COUNT];
  private final MemorySegment[] plans = new MemorySegment[Kernels.COUNT];
  private final boolean[] dependent = new boolean[Kernels.COUNT];
  private final boolean gated;
  private final LaunchGuard guard;

  /**
   * A queue.
   *
   * @param gated whether other queues wait for this one's sends; if not, kernels that follow each
   *     other are programmatic dependents
   * @param arena lives as long as launches
   */
  CudaQueue(
      GpuContext context,
      String name,
      Kernels kernels,
      KernelBlocks blocks,
      boolean gated,
      LaunchGuard guard,
      Arena arena) {
    this.gated = gated;
    this.guard = guard;
    this.stream = context.stream(name);
    this.done = context.event(name + " done", false);
    for (int operation = 0; operation < 2; operation++) {
      for (int parity = 0; parity < 2; parity++) {
        sent[operation][parity] = context.event(name + " sent", false);
      }
    }
    for (int k = 0; k < Kernels.COUNT; k++) {
      LaunchShape shape = kernels.shape(k, blocks.of(k));
      // C follows the experts, P a copy: they depend on nothing that knows of it.
      dependent[k] = !gated && k != PLAN && k != SEND[1];
      launches[k] =
          new PreparedLaunch(
              kernels.function(k),
              dependent[k] ? shape.asDependent() : shape,
              stream,
              jgin_launch.sizeof(),
              arena);
      plans[k] = jgin_launch.plan(launches[k].argument());
    }
  }

  /** The CUDA stream. */
  GpuStream stream() {
    return stream;
  }

  /** Every launch is for this rank: a {@code jgin_rank}. */
  void setRank(MemorySegment rank) {
    for (PreparedLaunch launch : launches) {
      jgin_launch.rank(launch.argument(), rank);
    }
  }

  /** Launches from here on are for this plan: a {@code jgin_plan}. */
  void use(MemorySegment plan, boolean cached) {
    for (int k = 0; k < Kernels.COUNT; k++) {
      plans[k].copyFrom(plan);
      int flags = cached ? abi_h.JGIN_LAUNCH_CACHED() : 0;
      flags |= dependent[k] ? abi_h.JGIN_LAUNCH_DEPENDENT() : 0;
      jgin_launch.flags(launches[k].argument(), flags);
    }
  }

  /** Enqueues the kernel that makes the plan. */
  void plan() {
    launches[PLAN].launch();
  }

  @Override
  public void send(int operation, long epoch) {
    guard.enter();
    try {
      launches[SEND[operation]].launch();
      if (gated) {
        stream.record(sent(operation, epoch));
      }
    } finally {
      guard.leave();
    }
  }

  @Override
  public void await(KernelQueue other, int operation, long epoch) {
    stream.await(((CudaQueue) other).sent(operation, epoch));
  }

  private GpuEvent sent(int operation, long epoch) {
    return sent[operation][(int) (epoch & 1)];
  }

  @Override
  public void receive(int operation) {
    launches[RECEIVE[operation]].launch();
    stream.record(done);
  }

  @Override
  public boolean isDone() {
    return done.isDone();
  }

  @Override
  public void close() {
    done.close();
    for (GpuEvent[] events : sent) {
      for (GpuEvent event : events) {
        event.close();
      }
    }
    stream.close();
  }
}
