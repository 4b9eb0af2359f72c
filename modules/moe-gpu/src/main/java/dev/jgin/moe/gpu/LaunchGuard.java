// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.gpu;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Keeps kernels that write to other ranks' memory from being launched once one of the ranks is
 * closing: that memory is about to be freed. Thread-safe, without a lock.
 */
final class LaunchGuard {
  private final AtomicInteger inside = new AtomicInteger();
  private volatile String closed;

  /**
   * To be called in front of a launch; {@link #leave} behind it.
   *
   * @throws IllegalStateException if a rank is closing
   */
  void enter() {
    inside.incrementAndGet();
    String why = closed;
    if (why != null) {
      inside.decrementAndGet();
      throw new IllegalStateException(why + "; its windows are gone, nothing more can be sent");
    }
  }

  void leave() {
    inside.decrementAndGet();
  }

  /** Returns when no launch is under way and none will be. The first reason stays. */
  void close(String why) {
    if (closed == null) {
      closed = why;
    }
    while (inside.get() != 0) {
      Thread.onSpinWait();
    }
  }
}
