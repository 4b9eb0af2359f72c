// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.perf.loop;

import java.util.ArrayList;
import java.util.List;

/** What the comparisons found. Any thread may add; no timed loop does. */
public final class Findings {
  private static final int KEPT = 8;

  private final List<String> first = new ArrayList<>();
  private long compared;
  private long wrong;

  /** Notes {@code values} that were compared, of which {@code bad} were wrong. */
  synchronized void compared(long values, long bad) {
    compared += values;
    wrong += bad;
  }

  /** Keeps a sentence about something wrong, unless there are enough. */
  synchronized void note(String sentence) {
    if (first.size() < KEPT) {
      first.add(sentence);
    }
  }

  /** Compares a counter. */
  void counter(String what, long expected, long seen) {
    compared(1, expected == seen ? 0 : 1);
    if (expected != seen) {
      note(what + " stands at " + seen + ", expected " + expected);
    }
  }

  /** How many values were compared: bytes of messages, counters, words behind barriers. */
  public synchronized long compared() {
    return compared;
  }

  /** How many of them were wrong. */
  public synchronized long wrong() {
    return wrong;
  }

  /** The first few in words. */
  public synchronized List<String> first() {
    return List.copyOf(first);
  }
}
