// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.emulated.timed;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** Threads that deliver moves when their real time has come, one per timeline. */
final class DeliveryThreads {

  private static final int BATCH = 64;
  private static final int SPINS = 200;
  private static final long LONGEST_PARK = 100_000;

  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean stopped;
  private volatile Throwable failure;

  DeliveryThreads(Timeline[] timelines) {
    for (Timeline timeline : timelines) {
      threads.add(
          Thread.ofPlatform()
              .daemon()
              .name("jgin-delivery-" + threads.size())
              .unstarted(() -> run(timeline)));
    }
    threads.forEach(Thread::start);
  }

  private void run(Timeline timeline) {
    try {
      int idle = 0;
      while (!stopped) {
        if (deliverDue(timeline) > 0) {
          idle = 0;
        } else if (++idle < SPINS) {
          Thread.onSpinWait();
        } else {
          LockSupport.parkNanos(LONGEST_PARK);
        }
      }
    } catch (RuntimeException | Error e) {
      failure = e;
    }
  }

  private static int deliverDue(Timeline timeline) {
    synchronized (timeline) {
      timeline.advanceTo(System.nanoTime());
      long due = timeline.now();
      int n = 0;
      while (n < BATCH && timeline.nextTime() <= due) {
        timeline.deliverNext();
        n++;
      }
      return n;
    }
  }

  /** Throws if a delivering thread died of a broken rule. */
  void check() {
    if (failure != null) {
      throw new IllegalStateException("a delivering thread failed", failure);
    }
  }

  /** Stops and joins the threads. */
  void stop() {
    stopped = true;
    boolean interrupted = false;
    for (Thread thread : threads) {
      LockSupport.unpark(thread);
      while (thread.isAlive()) {
        try {
          thread.join();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
