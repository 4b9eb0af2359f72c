// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.gpu;

import dev.jgin.gpu.GpuContext;
import dev.jgin.gpu.KernelImage;
import java.util.IdentityHashMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What the ranks of one world share that live in one process: where they meet in set-up, and the
 * kernels of each context. Make one for a world and hand it to each of its ranks in {@link
 * GpuEpOptions}; close it behind the engines and before the contexts.
 *
 * <p>Thread-safe.
 */
public final class GpuNode implements AutoCloseable {
  private final int ranks;
  private final Meeting meeting;
  private final IdentityHashMap<GpuContext, Kernels> kernels = new IdentityHashMap<>();
  private final int[] engines;
  private final ReentrantLock setup = new ReentrantLock();

  private GpuNode(int ranks) {
    this.ranks = ranks;
    this.meeting = new Meeting(ranks);
    this.engines = new int[ranks];
  }

  /** A node for {@code ranks} ranks of this process. */
  public static GpuNode of(int ranks) {
    if (ranks < 1) {
      throw new IllegalArgumentException(ranks + " ranks: at least 1 is needed");
    }
    return new GpuNode(ranks);
  }

  /** Ranks of this process. */
  public int ranks() {
    return ranks;
  }

  Meeting meeting() {
    return meeting;
  }

  /** Names the next engine of a rank: every rank makes the same ones in the same order. */
  synchronized String nextEngine(int rank) {
    return "GPU engine " + engines[rank]++;
  }

  /**
   * Held while a rank works on a context in set-up: several ranks may share one, which is for one
   * thread at a time. Also keeps a virtual thread on its carrier, whose context is current.
   */
  ReentrantLock setup() {
    return setup;
  }

  /** The kernels in {@code context}, loaded when first asked for. */
  synchronized Kernels kernels(GpuContext context) {
    return kernels.computeIfAbsent(context, in -> new Kernels(in, KernelImage.read()));
  }

  @Override
  public synchronized void close() {
    kernels.values().forEach(Kernels::close);
    kernels.clear();
  }
}
