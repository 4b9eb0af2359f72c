// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.verbs;

import static org.junit.jupiter.api.Assertions.fail;

import dev.jgin.gin.CommunicatorOptions;
import dev.jgin.gin.LocalWorld;
import dev.jgin.gin.spi.Fabric;
import dev.jgin.gin.spi.FabricSpec;
import dev.jgin.gin.spi.Region;
import dev.jgin.gin.spi.RegionKind;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/** All ranks of a verbs world on one thread, with waits that always end. */
final class Ranks implements AutoCloseable {

  static final long TIMEOUT = 20_000_000_000L;
  private static final VarHandle WORD = ValueLayout.JAVA_LONG.varHandle();

  final LocalWorld world;
  private final Set<Integer> closed = new HashSet<>();

  private Ranks(LocalWorld world) {
    this.world = world;
  }

  static Ranks open(String spec, int ranks, int contexts) {
    return open(spec, ranks, contexts, TIMEOUT);
  }

  /** A world whose blocking calls give up after {@code timeout} nanoseconds. */
  static Ranks open(String spec, int ranks, int contexts, long timeout) {
    CommunicatorOptions options =
        CommunicatorOptions.defaults().withAllowUnsound(true).withTimeoutNanos(timeout);
    return new Ranks(LocalWorld.open(FabricSpec.parse(spec, contexts, 1), ranks, options));
  }

  VerbsFabric fabric(int rank) {
    return (VerbsFabric) world.communicator(rank).fabric();
  }

  List<Region> register(String name, long bytes, RegionKind kind) {
    return world.onEachRank(c -> c.fabric().register(name, bytes, kind));
  }

  void await(String what, BooleanSupplier condition) {
    long start = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - start > TIMEOUT) {
        fail("still waiting for " + what);
      }
      for (int r = 0; r < world.size(); r++) {
        if (closed.contains(r)) {
          continue;
        }
        for (int c = 0; c < fabric(r).contexts(); c++) {
          fabric(r).poll(c);
        }
        fabric(r).progress();
      }
    }
  }

  /** Ends one rank: its queue pairs are destroyed, without a word to the others. */
  void destroy(int rank) {
    closed.add(rank);
    world.communicator(rank).close();
  }

  /** Posts until there is room, and rings. */
  void send(int rank, int context, int peer, LongSupplier posting) {
    await("room", () -> posting.getAsLong() != Fabric.FULL);
    fabric(rank).ring(context, peer);
  }

  static long load(Region region, long offset) {
    return (long) WORD.getAcquire(region.local(), offset);
  }

  static void store(Region region, long offset, long value) {
    WORD.set(region.local(), offset, value);
  }

  @Override
  public void close() {
    world.close();
  }
}
