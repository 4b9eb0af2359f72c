// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gin;

import dev.jgin.gin.spi.RankTask;
import dev.jgin.gin.spi.StepScheduler;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Runs the ranks of this process on a few platform threads, each stepping its share in turn: more
 * ranks than cores then cost no context switches.
 */
public final class WorkerScheduler implements StepScheduler {

  private final int workers;
  private final WaitStrategy wait;

  /** {@code workers} threads, at least 1, that wait as {@code wait} says when no rank can move. */
  public WorkerScheduler(int workers, WaitStrategy wait) {
    if (workers < 1) {
      throw new IllegalArgumentException("workers = " + workers + ": at least 1 is needed");
    }
    this.workers = workers;
    this.wait = wait;
  }

  @Override
  public void run(List<? extends RankTask> tasks) {
    AtomicReference<Throwable> failure = new AtomicReference<>();
    List<Thread> threads = new ArrayList<>();
    for (int w = 1; w < Math.min(workers, tasks.size()); w++) {
      int first = w;
      threads.add(
          Thread.ofPlatform().name("jgin-ranks-" + w).start(() -> drive(tasks, first, failure)));
    }
    drive(tasks, 0, failure);
    for (Thread thread : threads) {
      join(thread);
    }
    switch (failure.get()) {
      case null -> {}
      case Error e -> throw e;
      case Throwable e -> throw (RuntimeException) e;
    }
  }

  private void drive(
      List<? extends RankTask> tasks, int first, AtomicReference<Throwable> failure) {
    List<RankTask> mine = new ArrayList<>();
    for (int rank = first; rank < tasks.size(); rank += Math.min(workers, tasks.size())) {
      mine.add(tasks.get(rank));
    }
    int round = 0;
    while (!mine.isEmpty() && failure.get() == null) {
      try {
        round = stepEach(mine) ? 0 : round + 1;
      } catch (RuntimeException | Error e) {
        // An Error too: a rank that is gone must not leave the others waiting for their deadlines.
        if (!failure.compareAndSet(null, e)) {
          failure.get().addSuppressed(e);
        }
        return;
      }
      if (round > 0) {
        wait.idle(round - 1);
      }
    }
  }

  private static boolean stepEach(List<RankTask> mine) {
    boolean moved = false;
    for (int i = mine.size() - 1; i >= 0; i--) {
      switch (mine.get(i).step()) {
        case PROGRESS -> moved = true;
        case WAITING -> {}
        case DONE -> {
          mine.remove(i);
          moved = true;
        }
      }
    }
    return moved;
  }

  private static void join(Thread thread) {
    boolean interrupted = false;
    while (true) {
      try {
        thread.join();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
