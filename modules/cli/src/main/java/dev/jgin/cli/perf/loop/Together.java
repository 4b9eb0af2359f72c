// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.perf.loop;

import dev.jgin.gin.WaitStrategy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Runs the ranks of this process, each on a platform thread of its own, and ends all of them when
 * one fails: as the wait strategy of their communicators it is called in every wait, where it
 * throws if another rank is gone. Without that the others would wait for their deadlines.
 *
 * <p>Thread-safe; one {@link #run} at a time.
 */
public final class Together implements WaitStrategy {
  private final WaitStrategy waiting;
  private final AtomicReference<Throwable> failure = new AtomicReference<>();

  /** What one rank does. */
  @FunctionalInterface
  public interface Part {
    /** Runs on the thread of {@code rank}. */
    void run(int rank);
  }

  /** Ranks that wait as {@code waiting} says. */
  public Together(WaitStrategy waiting) {
    this.waiting = waiting;
  }

  @Override
  public void idle(int round) {
    Throwable why = failure.get();
    if (why != null) {
      throw new StoppedException(why);
    }
    waiting.idle(round);
  }

  /**
   * Runs {@code part} for each rank and returns when all have ended.
   *
   * @throws RuntimeException what the first rank to fail threw
   */
  public void run(int ranks, Part part) {
    List<Thread> threads = new ArrayList<>();
    for (int r = 0; r < ranks; r++) {
      int rank = r;
      threads.add(Thread.ofPlatform().name("jgin-perf-rank-" + r).start(() -> guarded(rank, part)));
    }
    boolean interrupted = false;
    for (Thread thread : threads) {
      interrupted |= join(thread);
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    switch (failure.get()) {
      case null -> {}
      case Error e -> throw e;
      case Throwable e -> throw (RuntimeException) e;
    }
  }

  private void guarded(int rank, Part part) {
    try {
      part.run(rank);
    } catch (RuntimeException | Error e) {
      // An Error too: nobody must wait for a rank that is gone.
      failure.compareAndSet(null, e);
    }
  }

  /**
   * Waits for a thread, whose own waits have deadlines; returns whether this one was interrupted.
   */
  private static boolean join(Thread thread) {
    boolean interrupted = false;
    while (true) {
      try {
        thread.join();
        return interrupted;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
  }
}
