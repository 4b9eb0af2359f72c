// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.gpu;

import dev.jgin.bindings.abi.jgin_plan;
import dev.jgin.gpu.DeviceMemory;
import dev.jgin.gpu.GpuContext;
import dev.jgin.gpu.GpuStream;
import dev.jgin.gpu.HostMemory;
import dev.jgin.moe.EpConfig;
import dev.jgin.moe.routing.Routing;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The plan of a routing in device memory, kept for use again: what this rank sends, and what the
 * others told it to expect.
 *
 * <p>The first dispatch with a plan makes it, by a kernel, and exchanges all counts. Later ones, on
 * any stream of the engine, do neither. <em>Every rank must use its plan again in the same
 * dispatch</em>; a rank that does not is reported as a violation of {@link
 * dev.jgin.moe.check.Check#COUNT_BLOCK}.
 *
 * <p>Made by {@link GpuEpEngine#newPlan} and closed with the engine. One thread at a time. Planning
 * allocates nothing.
 */
public final class GpuEpPlan {
  private final GpuEpEngine engine;
  private final EpConfig config;
  private final PlanMemory layout;
  private final DeviceMemory device;
  private final HostMemory input;
  private final MemorySegment struct;
  private boolean planned;
  private boolean onDevice;
  private boolean cached;
  private int tokens;
  private long generation;
  private int underWay;

  GpuEpPlan(
      GpuEpEngine engine, GpuContext context, EpConfig config, MemorySegment shape, Arena arena) {
    this.engine = engine;
    this.config = config;
    this.layout = new PlanMemory(shape);
    this.device = context.allocate("plan", layout.bytes());
    try {
      this.input = context.allocateHost("plan input", layout.inputBytes);
    } catch (RuntimeException | Error e) {
      device.close();
      throw e;
    }
    device.fill((byte) 0);
    this.struct = jgin_plan.allocate(arena);
    layout.fill(struct, device.address());
  }

  /**
   * Takes {@code routing}, which the next dispatch plans, and forgets the one before.
   *
   * @throws IllegalArgumentException if it does not fit the configuration
   * @throws IllegalStateException if an operation with the plan is under way
   */
  public void plan(Routing routing) {
    requireIdle();
    if (routing.experts() != config.experts() || routing.topK() != config.topK()) {
      throw new IllegalArgumentException(
          "a routing of %d experts top-%d: configured are %d experts top-%d"
              .formatted(routing.experts(), routing.topK(), config.experts(), config.topK()));
    }
    if (routing.tokens() > config.maxTokensPerRank()) {
      throw new IllegalArgumentException(
          routing.tokens()
              + " tokens on one rank: configured are at most "
              + config.maxTokensPerRank());
    }
    MemorySegment to = input.segment();
    int topK = config.topK();
    to.set(ValueLayout.JAVA_INT, layout.tokensAt, routing.tokens());
    for (int t = 0, lane = 0; t < routing.tokens(); t++) {
      for (int k = 0; k < topK; k++, lane++) {
        to.set(ValueLayout.JAVA_INT, layout.idsAt + 4L * lane, routing.id(t, k));
        to.set(ValueLayout.JAVA_FLOAT, layout.weightsAt + 4L * lane, routing.weight(t, k));
      }
    }
    tokens = routing.tokens();
    begin(false);
  }

  /**
   * Takes the routing that stands in device memory when the next dispatch runs: the number of
   * tokens (u32), ids and weights at the addresses below, written by the caller in stream order. An
   * expert outside [-1, experts), one that a token names twice, and too many tokens end that
   * dispatch in a {@link KernelException}.
   *
   * @throws IllegalStateException if an operation with the plan is under way
   */
  public void planOnDevice() {
    requireIdle();
    begin(true);
  }

  private void begin(boolean inputOnDevice) {
    generation++;
    planned = true;
    cached = false;
    onDevice = inputOnDevice;
  }

  /** Where {@link #planOnDevice} finds the number of tokens: u32. */
  public long tokensAddress() {
    return jgin_plan.input_tokens(struct);
  }

  /** Where {@link #planOnDevice} finds the ids: i32 [tokens][top-k], -1 = masked. */
  public long idsAddress() {
    return jgin_plan.input_ids(struct);
  }

  /** Where {@link #planOnDevice} finds the weights: f32 [tokens][top-k]. */
  public long weightsAddress() {
    return jgin_plan.input_weights(struct);
  }

  /** Whether the next dispatch finds the plan made and the counts exchanged. */
  public boolean cached() {
    return cached;
  }

  long generation() {
    return generation;
  }

  /** {@code jgin_plan}. */
  MemorySegment struct() {
    return struct;
  }

  void requireOf(GpuEpEngine other) {
    if (engine != other) {
      throw new IllegalArgumentException("the plan was made by another engine");
    }
    if (!planned) {
      throw new IllegalStateException("the plan is of no routing yet: call plan first");
    }
    if (!cached) {
      requireIdle();
    }
  }

  private void requireIdle() {
    if (underWay > 0) {
      throw new IllegalStateException(
          "the plan is in use by "
              + underWay
              + " operations, which read it, or still exchange its counts: finish them first, or"
              + " use another plan");
    }
  }

  /** Enqueues the copy of the routing to the device. */
  void upload(GpuStream stream) {
    if (onDevice) {
      return;
    }
    long lanes = (long) tokens * config.topK() * 4;
    // One copy brings tokens and ids, which stand behind each other.
    copy(stream, layout.tokensAt, layout.idsAt - layout.tokensAt + lanes);
    if (lanes > 0) {
      copy(stream, layout.weightsAt, lanes);
    }
  }

  private void copy(GpuStream stream, long at, long bytes) {
    stream.copy(device.address() + at, input.address() + at, bytes);
  }

  void enter() {
    underWay++;
  }

  void leave(boolean countsAreKept) {
    underWay--;
    cached |= countsAreKept;
  }

  /** Copies {@code bytes} from the device, and waits. */
  MemorySegment read(long address, long bytes, Arena arena) {
    MemorySegment to = arena.allocate(Math.max(bytes, 1), 16).asSlice(0, bytes);
    if (bytes > 0) {
      device.read(address - device.address(), to);
    }
    return to;
  }

  void close() {
    try {
      device.close();
    } finally {
      input.close();
    }
  }
}
