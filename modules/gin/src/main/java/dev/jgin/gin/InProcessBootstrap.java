// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gin;

import dev.jgin.gin.spi.Bootstrap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * Ranks of one process that find each other through shared memory.
 *
 * <p>{@link #world} makes one bootstrap per rank. Each is used by its rank's thread; the exchange
 * itself is thread-safe.
 */
public final class InProcessBootstrap implements Bootstrap {

  /** Most ranks of a world. */
  public static final int MAX_RANKS = 1024;

  private final Meeting meeting;
  private final int rank;

  private InProcessBootstrap(Meeting meeting, int rank) {
    this.meeting = meeting;
    this.rank = rank;
  }

  /**
   * Makes the bootstraps of a world, indexed by rank.
   *
   * @throws IllegalArgumentException if {@code ranks} is not in 1..{@value #MAX_RANKS}
   */
  public static List<Bootstrap> world(int ranks) {
    if (ranks < 1 || ranks > MAX_RANKS) {
      throw new IllegalArgumentException("ranks = " + ranks + ": it must be in 1.." + MAX_RANKS);
    }
    Meeting meeting = new Meeting(ranks);
    List<Bootstrap> world = new ArrayList<>(ranks);
    for (int r = 0; r < ranks; r++) {
      world.add(new InProcessBootstrap(meeting, r));
    }
    return world;
  }

  @Override
  public int rank() {
    return rank;
  }

  @Override
  public int ranks() {
    return meeting.ranks;
  }

  @Override
  public List<byte[]> allGather(String key, byte[] value, long timeoutNanos) {
    return meeting.exchange(rank, key, value.clone(), timeoutNanos);
  }

  @Override
  public boolean inProcess() {
    return true;
  }

  @Override
  public <T> T shared(String key, Class<T> type, Supplier<T> maker) {
    return type.cast(meeting.shared(key, maker));
  }

  @Override
  public void close() {}

  /** One round after the other; a round ends when every rank has given its value. */
  private static final class Meeting {
    private final int ranks;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition roundEnded = lock.newCondition();
    private final Map<String, Object> shared = new HashMap<>();
    private byte[][] values;
    private String key;
    private int arrived;
    private Round round = new Round();

    Meeting(int ranks) {
      this.ranks = ranks;
      this.values = new byte[ranks][];
    }

    List<byte[]> exchange(int rank, String roundKey, byte[] value, long timeoutNanos) {
      lock.lock();
      try {
        if (arrived == 0) {
          key = roundKey;
        } else if (!key.equals(roundKey)) {
          throw new IllegalArgumentException(
              "rank "
                  + rank
                  + " came to exchange '"
                  + roundKey
                  + "' while others are in '"
                  + key
                  + "': collective calls must be made in the same order by every rank");
        }
        if (values[rank] != null) {
          throw new IllegalStateException(
              "rank " + rank + " came to exchange '" + roundKey + "' twice");
        }
        Round mine = round;
        values[rank] = value;
        if (++arrived == ranks) {
          mine.result = List.of(values);
          values = new byte[ranks][];
          arrived = 0;
          round = new Round();
          roundEnded.signalAll();
        }
        long left = timeoutNanos;
        while (mine.result == null) {
          if (left <= 0) {
            throw new DeadlineException(
                rank,
                "exchange '" + roundKey + "': ranks " + missing() + " did not come",
                timeoutNanos);
          }
          left = roundEnded.awaitNanos(left);
        }
        return mine.result;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new DeadlineException(
            rank, "exchange '" + roundKey + "' was interrupted", timeoutNanos);
      } finally {
        lock.unlock();
      }
    }

    private String missing() {
      List<Integer> absent = new ArrayList<>();
      for (int r = 0; r < ranks; r++) {
        if (values[r] == null) {
          absent.add(r);
        }
      }
      return absent.size() <= 16
          ? absent.toString()
          : Arrays.toString(absent.stream().limit(16).toArray())
              + " and "
              + (absent.size() - 16)
              + " more";
    }

    Object shared(String name, Supplier<?> maker) {
      lock.lock();
      try {
        return shared.computeIfAbsent(name, k -> maker.get());
      } finally {
        lock.unlock();
      }
    }
  }

  private static final class Round {
    private List<byte[]> result;
  }
}
