// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.emulated.timed;

import java.util.Arrays;

/**
 * Timed events in order of (time, order of insertion): a binary heap in flat arrays. Equal times
 * keep insertion order, so that an event never overtakes one that it was scheduled behind. Not
 * thread-safe; allocates when it grows.
 *
 * @param <T> whom an event is for
 */
final class EventHeap<T> {

  private long[] times = new long[256];
  private long[] orders = new long[256];
  private long[] moves = new long[256];
  private Object[] owners = new Object[256];
  private int size;
  private long inserted;
  private T owner;
  private long move;

  boolean isEmpty() {
    return size == 0;
  }

  /** Time of the next event, {@link Long#MAX_VALUE} if there is none. */
  long nextTime() {
    return size == 0 ? Long.MAX_VALUE : times[0];
  }

  void push(long time, T eventOwner, long eventMove) {
    if (size == times.length) {
      grow();
    }
    long order = inserted++;
    int at = size++;
    while (at > 0) {
      int parent = (at - 1) >>> 1;
      if (times[parent] <= time) {
        break;
      }
      shift(parent, at);
      at = parent;
    }
    set(at, time, order, eventMove, eventOwner);
  }

  /** Removes the next event into {@link #owner} and {@link #move}. */
  @SuppressWarnings("unchecked") // only push puts owners in
  void pop() {
    owner = (T) owners[0];
    move = moves[0];
    int last = --size;
    long time = times[last];
    long order = orders[last];
    int at = 0;
    while (true) {
      int child = 2 * at + 1;
      if (child >= last) {
        break;
      }
      if (child + 1 < last && before(times[child + 1], orders[child + 1], child)) {
        child++;
      }
      if (before(time, order, child)) {
        break;
      }
      shift(child, at);
      at = child;
    }
    set(at, time, order, moves[last], owners[last]);
    owners[last] = null;
  }

  T owner() {
    return owner;
  }

  long move() {
    return move;
  }

  private boolean before(long time, long order, int other) {
    return time < times[other] || (time == times[other] && order < orders[other]);
  }

  private void shift(int from, int to) {
    set(to, times[from], orders[from], moves[from], owners[from]);
  }

  private void set(int at, long time, long order, long eventMove, Object eventOwner) {
    times[at] = time;
    orders[at] = order;
    moves[at] = eventMove;
    owners[at] = eventOwner;
  }

  private void grow() {
    int capacity = size * 2;
    times = Arrays.copyOf(times, capacity);
    orders = Arrays.copyOf(orders, capacity);
    moves = Arrays.copyOf(moves, capacity);
    owners = Arrays.copyOf(owners, capacity);
  }
}
