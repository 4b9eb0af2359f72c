// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.gpu;

import dev.jgin.gin.DeadlineException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Where the ranks of one process give each other objects, in set-up. Thread-safe; blocks. */
final class Meeting {
  private static final class Round {
    final Object[] values;
    int came;
    int left;

    Round(int ranks) {
      values = new Object[ranks];
    }
  }

  private final int ranks;
  private final Map<String, Round> rounds = new HashMap<>();

  Meeting(int ranks) {
    this.ranks = ranks;
  }

  /**
   * Gives {@code value} to every rank and returns all, by rank, when every rank has come.
   *
   * @throws DeadlineException naming the ranks that did not come
   * @throws IllegalStateException if the rank has come to this round already, or is interrupted
   */
  synchronized <T> List<T> meet(String key, int rank, Class<T> type, T value, long timeoutNanos) {
    Round round = rounds.computeIfAbsent(key, _ -> new Round(ranks));
    if (round.values[rank] != null) {
      throw new IllegalStateException(
          "rank " + rank + " came to \"" + key + "\" twice: give each world a GpuNode of its own");
    }
    round.values[rank] = value;
    round.came++;
    notifyAll();
    await(round, key, rank, timeoutNanos);
    List<T> all = new ArrayList<>();
    for (Object each : round.values) {
      all.add(type.cast(each));
    }
    if (++round.left == ranks) {
      rounds.remove(key);
    }
    return all;
  }

  private void await(Round round, String key, int rank, long timeoutNanos) {
    long begin = System.nanoTime();
    while (round.came < ranks) {
      long left = timeoutNanos - (System.nanoTime() - begin);
      if (left <= 0) {
        throw new DeadlineException(
            rank, "\"" + key + "\": ranks " + missing(round) + " did not come", timeoutNanos);
      }
      try {
        wait(left / 1_000_000 + 1);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted while waiting for \"" + key + "\"", e);
      }
    }
  }

  private static List<Integer> missing(Round round) {
    List<Integer> missing = new ArrayList<>();
    for (int r = 0; r < round.values.length; r++) {
      if (round.values[r] == null) {
        missing.add(r);
      }
    }
    return missing;
  }
}
