// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gin.contract;

import static dev.jgin.gin.contract.ContractWorld.load;
import static dev.jgin.gin.contract.ContractWorld.store;

import dev.jgin.gin.spi.Axiom;
import dev.jgin.gin.spi.Fabric;
import dev.jgin.gin.spi.Region;
import dev.jgin.gin.spi.RegionKind;
import java.util.List;

/**
 * Tries to see a promise broken: one run per seed, true if it was. A carrier that makes the promise
 * must never be caught; one whose switch is off must be, or the switch does nothing.
 */
public final class AxiomProbe {

  private static final int OPS = 24;
  private static final long STRIDE = 256;
  private static final long ROW = 192;

  private final ContractWorld world;
  private final Fabric fabric;
  private final List<Region> data;
  private final List<Region> signals;
  private boolean broken;

  private AxiomProbe(ContractWorld world) {
    this.world = world;
    this.fabric = world.fabric(0);
    this.data = world.register("data", OPS * STRIDE, RegionKind.DATA);
    this.signals = world.register("signals", OPS * 8L + 8, RegionKind.SIGNAL);
    for (long at = 0; at < OPS * STRIDE; at += 8) {
      store(data.get(0), at, at + 1);
    }
  }

  /** Whether a run of {@code spec} with {@code seed} broke {@code axiom}. */
  public static boolean breaks(String spec, Axiom axiom, long seed) {
    try (ContractWorld world = ContractWorld.open(spec, 2, 2, seed)) {
      AxiomProbe probe = new AxiomProbe(world);
      switch (axiom) {
        case A1W -> probe.writesInOrder();
        case A1S -> probe.signalsInOrder();
        case A2_ACROSS_LANES -> probe.lanesInOrder();
        case A3_COMPLETION_IS_VISIBLE -> probe.completedIsVisible();
        case A4 -> probe.signalsBehindWrites();
        case A6 -> probe.atomicsOnce();
      }
      return probe.broken;
    }
  }

  private void writeRow(int context, int i) {
    long at = i * STRIDE;
    world.post(
        0, context, 1, () -> fabric.write(context, 1, data.get(0), at, data.get(0), at, ROW));
  }

  private boolean rowHasBegun(int i) {
    for (long at = i * STRIDE; at < i * STRIDE + ROW; at += 8) {
      if (load(data.get(1), at) != 0) {
        return true;
      }
    }
    return false;
  }

  private boolean rowIsWhole(int i) {
    for (long at = i * STRIDE; at < i * STRIDE + ROW; at += 8) {
      if (load(data.get(1), at) != at + 1) {
        return false;
      }
    }
    return true;
  }

  /** Looks at the later first: what is seen late must have come late. */
  private void writesInOrder() {
    for (int i = 0; i < OPS; i++) {
      writeRow(0, i);
      fabric.ring(0, 1);
    }
    world.await(
        "all rows",
        () -> {
          for (int later = OPS - 1; later > 0; later--) {
            if (rowHasBegun(later)) {
              broken |= !rowIsWhole(later - 1);
            }
          }
          return allRows(OPS);
        });
  }

  private boolean allRows(int n) {
    for (int i = 0; i < n; i++) {
      if (!rowIsWhole(i)) {
        return false;
      }
    }
    return true;
  }

  private void signalsInOrder() {
    for (int i = 0; i < OPS; i++) {
      signal(0, i);
    }
    world.await(
        "all signals",
        () -> {
          boolean all = true;
          for (int later = OPS - 1; later > 0; later--) {
            boolean seen = load(signals.get(1), 8L * later) != 0;
            broken |= seen && load(signals.get(1), 8L * (later - 1)) == 0;
            all &= seen;
          }
          return all;
        });
  }

  /** Alternates the three kinds of signal, without atomics where those may get lost. */
  private void signal(int context, int i) {
    long at = 8L * i;
    int kind = fabric.axioms().promises(Axiom.A6) ? i % 3 : i % 2 * 2;
    world.post(
        0,
        context,
        1,
        () ->
            switch (kind) {
              case 0 -> fabric.writeInline(context, 1, signals.get(0), at, 1, 8);
              case 1 -> fabric.atomicAdd(context, 1, signals.get(0), at, 1);
              default -> fabric.write(context, 1, data.get(0), 0, signals.get(0), at, 8);
            });
    fabric.ring(context, 1);
  }

  private void lanesInOrder() {
    for (int i = 0; i < OPS; i++) {
      writeRow(1, i);
      fabric.ring(1, 1);
      signal(0, i);
    }
    signalsMeanRows();
  }

  private void signalsBehindWrites() {
    for (int i = 0; i < OPS; i++) {
      writeRow(0, i);
      signal(0, i);
    }
    signalsMeanRows();
  }

  private void signalsMeanRows() {
    world.await(
        "all signals and rows",
        () -> {
          boolean all = true;
          for (int i = 0; i < OPS; i++) {
            boolean seen = load(signals.get(1), 8L * i) != 0;
            broken |= seen && !rowIsWhole(i);
            all &= seen;
          }
          return all && allRows(OPS);
        });
  }

  private void completedIsVisible() {
    for (int i = 0; i < OPS; i++) {
      writeRow(0, i);
      fabric.ring(0, 1);
      world.awaitCompletion(0, 0, 1);
      broken |= !rowIsWhole(i);
    }
    world.await("all rows", () -> allRows(OPS));
  }

  /** Needs A1s to know when the last add has landed: a store into a cell of its own follows. */
  private void atomicsOnce() {
    int adds = 8 * OPS;
    for (int i = 0; i < adds; i++) {
      world.post(0, 0, 1, () -> fabric.atomicAdd(0, 1, signals.get(0), 0, 1));
      fabric.ring(0, 1);
    }
    world.post(0, 0, 1, () -> fabric.writeInline(0, 1, signals.get(0), 8, 1, 8));
    fabric.ring(0, 1);
    world.await("the last signal", () -> load(signals.get(1), 8) == 1);
    if (fabric.axioms().promises(Axiom.A1S)) {
      broken = load(signals.get(1), 0) != adds;
    } else {
      world.await("all adds", () -> load(signals.get(1), 0) == adds);
    }
  }
}
