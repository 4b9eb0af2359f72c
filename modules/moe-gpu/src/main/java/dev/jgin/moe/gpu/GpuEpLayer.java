// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.gpu;

import dev.jgin.gin.spi.RankTask.Step;
import dev.jgin.gpu.GpuContext;
import dev.jgin.gpu.GpuEvent;
import dev.jgin.gpu.GpuGraph;
import dev.jgin.gpu.GpuStream;
import java.util.List;

/**
 * Whole layers with a cached plan as one graph: dispatch, experts, combine of every rank that
 * shares a GPU, to be replayed with one call. Epochs are in device memory, so each replay is the
 * next operation of its streams; operations that are not replayed may stand between.
 *
 * <p>Between replays the caller changes what is in memory: tokens, weights of experts. The routing
 * stays that of the plans. Every rank must replay in the same dispatch.
 *
 * <p>One thread at a time. Replaying allocates nothing. Close it before the engines.
 */
public final class GpuEpLayer implements AutoCloseable {

  /**
   * One rank's part.
   *
   * @param stream idle
   * @param plan one that has been dispatched before
   * @param experts enqueues the experts on {@link GpuEpStream#cuda()}
   */
  public record Part(GpuEpStream stream, GpuEpPlan plan, Runnable experts) {}

  private final Part[] parts;
  private final GpuContext context;
  private final GpuStream first;
  private final GpuGraph graph;
  private final GpuEvent done;
  private boolean underWay;

  private GpuEpLayer(String name, List<Part> parts) {
    this.parts = parts.toArray(Part[]::new);
    this.context = parts.getFirst().stream().run().context();
    this.first = parts.getFirst().stream().cuda();
    context.makeCurrent();
    GpuEvent fork = context.event(name + " fork", false);
    GpuEvent join = context.event(name + " join", false);
    try {
      this.graph = first.capture(name, () -> enqueue(fork, join));
    } finally {
      fork.close();
      join.close();
    }
    this.done = context.event(name + " done", false);
  }

  /**
   * Captures. Runs nothing but the experts' enqueueing.
   *
   * @throws IllegalArgumentException unless the parts are all ranks of the world, in order, where
   *     any of them shares a GPU; or one rank where each has its own
   * @throws IllegalStateException if a stream is not idle, or a plan is not cached
   */
  public static GpuEpLayer capture(String name, List<Part> parts) {
    GpuEpStream leader = parts.getFirst().stream();
    int needed = leader.run().isGated() ? leader.run().ranks() : 1;
    if (parts.size() != needed) {
      throw new IllegalArgumentException(
          parts.size()
              + " ranks in one graph: "
              + (needed == 1
                  ? "each rank has a GPU of its own; capture one graph a rank"
                  : "ranks share a GPU, and what waits must go behind what all of them send; capture"
                      + " all "
                      + needed));
    }
    for (int i = 0; i < parts.size(); i++) {
      Part part = parts.get(i);
      if (part.stream().run().context() != leader.run().context()
          || (needed > 1 && part.stream().run().rank() != i)
          || part.stream().index() != leader.index()) {
        throw new IllegalArgumentException(
            "part "
                + i
                + ": a graph is of the streams of one index on one GPU, in order of their ranks");
      }
      part.stream().run().requireReplayable(part.plan());
    }
    return new GpuEpLayer(name, List.copyOf(parts));
  }

  private void enqueue(GpuEvent fork, GpuEvent join) {
    first.record(fork);
    for (Part part : parts) {
      if (part.stream().cuda() != first) {
        part.stream().cuda().await(fork);
      }
    }
    for (Part part : parts) {
      part.stream().run().captureDispatchSend(part.plan());
    }
    for (Part part : parts) {
      part.stream().run().captureReceive(true);
      part.experts().run();
    }
    for (Part part : parts) {
      part.stream().run().captureCombineSend();
    }
    for (Part part : parts) {
      part.stream().run().captureReceive(false);
    }
    for (Part part : parts) {
      if (part.stream().cuda() != first) {
        part.stream().cuda().record(join);
        first.await(join);
      }
    }
  }

  /**
   * Begins a replay.
   *
   * @throws IllegalStateException if one is under way, or a stream is not idle
   */
  public void begin() {
    if (underWay) {
      throw new IllegalStateException("the layer is under way; step it until it is done");
    }
    for (Part part : parts) {
      part.stream().run().requireReplayable(part.plan());
    }
    context.makeCurrent();
    for (Part part : parts) {
      part.stream().run().beginReplay(part.plan());
    }
    underWay = true;
    first.launch(graph);
    first.record(done);
  }

  /**
   * Advances without blocking; {@link Step#DONE} once, and then each stream has dispatched and
   * combined. Throws what a step of a stream throws.
   */
  public Step step() {
    if (!underWay) {
      throw new IllegalStateException("the layer has not begun");
    }
    context.makeCurrent();
    if (!done.isDone()) {
      return Step.WAITING;
    }
    underWay = false;
    for (Part part : parts) {
      part.stream().run().endReplay();
    }
    return Step.DONE;
  }

  @Override
  public void close() {
    context.makeCurrent();
    done.close();
    graph.close();
  }
}
