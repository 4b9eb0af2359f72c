// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.emulated.timed;

import dev.jgin.fabric.emulated.lane.Seeded;
import dev.jgin.gin.DeadlineException;
import dev.jgin.gin.spi.RankTask;
import dev.jgin.gin.spi.StepScheduler;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs ranks and lanes on one thread in virtual time: the steps of ranks and the moves of lanes are
 * events of one seeded order, so that a seed replays a run exactly.
 *
 * <p>A rank that waits is stepped again when something happened in its memory or on its lanes, and
 * once a virtual millisecond in any case. When no move is left and every rank waits, time jumps
 * ahead in growing leaps until a deadline fires; if none does within two virtual days, nothing can
 * ever happen and {@link DeadlineException} says who waits.
 */
final class VirtualScheduler implements StepScheduler {

  private static final long TICK = 1_000_000;
  private static final long GIVE_UP_AFTER = 48L * 3600 * 1_000_000_000L;
  private static final long IDLE_STRIDE = 20_000;
  private static final int FREE_PROGRESS_CALLS = 8;

  private final Timeline timeline;
  private final int ranks;
  private final Seeded random;
  private final EventHeap<RankTask> steps = new EventHeap<>();
  private RankTask[] tasks;
  private boolean[] queued = new boolean[0];
  private int left;
  private long nextTick;
  private int progressCalls;

  VirtualScheduler(Timeline timeline, int ranks, long seed) {
    this.timeline = timeline;
    this.ranks = ranks;
    this.random = new Seeded(seed);
  }

  @Override
  public void run(List<? extends RankTask> programs) {
    if (programs.size() != ranks) {
      throw new IllegalArgumentException(
          programs.size() + " programs for " + ranks + " ranks: give one per rank");
    }
    // Held throughout: calls of the ranks re-enter it cheaply, other threads stay out.
    synchronized (timeline) {
      if (tasks != null) {
        throw new IllegalStateException("a program called run of the scheduler that runs it");
      }
      tasks = programs.toArray(new RankTask[0]);
      queued = new boolean[ranks];
      left = ranks;
      nextTick = timeline.now() + TICK;
      wakeAll();
      try {
        loop();
      } finally {
        tasks = null;
        while (!steps.isEmpty()) {
          steps.pop();
        }
      }
    }
  }

  private void loop() {
    long leap = TICK;
    long idleSince = timeline.now();
    while (left > 0) {
      long stepTime = steps.nextTime();
      long moveTime = timeline.nextTime();
      if (Math.min(stepTime, moveTime) == Long.MAX_VALUE) {
        if (timeline.now() - idleSince > GIVE_UP_AFTER) {
          throw new DeadlineException(
              waiting().getFirst(),
              "ranks " + waiting() + " wait, and no move of any lane is left",
              timeline.now() - idleSince);
        }
        timeline.advanceTo(timeline.now() + leap);
        leap *= 2;
        wakeAll();
        continue;
      }
      if (moveTime < stepTime) {
        timeline.deliverNext();
        tick();
      } else if (!step()) {
        continue;
      }
      leap = TICK;
      idleSince = timeline.now();
    }
  }

  /** Steps the next rank; whether it moved. */
  private boolean step() {
    timeline.advanceTo(steps.nextTime());
    steps.pop();
    int rank = (int) steps.move();
    queued[rank] = false;
    progressCalls = 0;
    timeline.trace(-1L - rank);
    return switch (steps.owner().step()) {
      case PROGRESS -> {
        wake(rank);
        tick();
        yield true;
      }
      case DONE -> {
        tasks[rank] = null;
        left--;
        yield true;
      }
      case WAITING -> false;
    };
  }

  /** Ranks may wait for things that no carrier knows: another rank's Java state, or a deadline. */
  private void tick() {
    if (timeline.now() >= nextTick) {
      nextTick = timeline.now() + TICK;
      wakeAll();
    }
  }

  private void wakeAll() {
    for (int rank = 0; rank < ranks; rank++) {
      wake(rank);
    }
  }

  /** Steps {@code rank} soon, if it runs and is not about to be stepped. */
  void wake(int rank) {
    if (tasks == null || tasks[rank] == null || queued[rank]) {
      return;
    }
    queued[rank] = true;
    long delay = 40 + random.below(160);
    if (random.oneIn(32)) {
      delay *= 1 + random.below(64);
    }
    steps.push(timeline.now() + delay, tasks[rank], rank);
  }

  /**
   * Moves the carrier on behalf of a waiting caller: delivers the next move, or lets time pass if
   * there is none. Within a step the first few calls do nothing, because a step that merely looks
   * must not hurry the carrier; a step that blocks calls on and on, and then it moves.
   */
  void progress() {
    synchronized (timeline) {
      if (tasks != null && ++progressCalls <= FREE_PROGRESS_CALLS) {
        return;
      }
      if (timeline.nextTime() == Long.MAX_VALUE) {
        timeline.advanceTo(timeline.now() + IDLE_STRIDE);
      } else {
        timeline.deliverNext();
      }
    }
  }

  private List<Integer> waiting() {
    List<Integer> waiting = new ArrayList<>();
    for (int rank = 0; rank < ranks; rank++) {
      if (tasks[rank] != null) {
        waiting.add(rank);
      }
    }
    return waiting;
  }
}
