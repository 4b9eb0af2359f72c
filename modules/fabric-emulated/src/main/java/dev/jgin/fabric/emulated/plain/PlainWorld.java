// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.emulated.plain;

import dev.jgin.fabric.emulated.EmulatedOptions;
import dev.jgin.fabric.emulated.lane.LaneEnd;
import dev.jgin.fabric.emulated.memory.RegionTable;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * What the ranks of one plain world share: memory, the contexts' counters, and the few lane ends
 * that are not simply open.
 */
public final class PlainWorld {

  private final EmulatedOptions options;
  private final int ranks;
  private final int contexts;
  private final RegionTable table;
  private final AtomicReferenceArray<PlainContext> contextOf;
  private final AtomicLongArray failures;
  private final Map<Long, LaneEnd> ends = new HashMap<>();
  private volatile int closedEnds;

  /** A world that all ranks share. */
  public PlainWorld(EmulatedOptions options, int ranks, int contexts) {
    this.options = options;
    this.ranks = ranks;
    this.contexts = contexts;
    this.table = new RegionTable(ranks);
    this.contextOf = new AtomicReferenceArray<>(ranks * contexts);
    this.failures = new AtomicLongArray(ranks);
  }

  EmulatedOptions options() {
    return options;
  }

  int ranks() {
    return ranks;
  }

  int contexts() {
    return contexts;
  }

  RegionTable table() {
    return table;
  }

  AtomicLongArray failures() {
    return failures;
  }

  /** The counters of a rank's context, made on first use. */
  PlainContext context(int rank, int context) {
    int index = rank * contexts + context;
    PlainContext known = contextOf.get(index);
    if (known != null) {
      return known;
    }
    PlainContext fresh = new PlainContext(ranks);
    return contextOf.compareAndSet(index, null, fresh) ? fresh : contextOf.get(index);
  }

  /** Whether any end of any lane is closed: while none is, a send asks nothing else. */
  boolean anyClosed() {
    return closedEnds != 0;
  }

  /** Counts an end that closed (+1) or opened again (−1). Under this world's monitor. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // written under the monitor alone
  void countClosed(int change) {
    closedEnds += change;
  }

  /** The end of {@code owner} on lane (context, other). Under this world's monitor. */
  LaneEnd end(int owner, int context, int other) {
    long key = ((long) owner * contexts + context) * ranks + other;
    return ends.computeIfAbsent(
        key, k -> new LaneEnd(owner, context, other, options.initialPsn(owner, context, other, 1)));
  }
}
