// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gin.contract;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import dev.jgin.gin.Fabrics;
import dev.jgin.gin.InProcessBootstrap;
import dev.jgin.gin.spi.Bootstrap;
import dev.jgin.gin.spi.Fabric;
import dev.jgin.gin.spi.FabricProvider;
import dev.jgin.gin.spi.FabricSpec;
import dev.jgin.gin.spi.Region;
import dev.jgin.gin.spi.RegionKind;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/** All ranks of one fabric, driven by the test's thread, with waits that always end. */
final class ContractWorld implements AutoCloseable {

  static final VarHandle WORD = ValueLayout.JAVA_LONG.varHandle();

  private static final long PATIENCE_NANOS = 60_000_000_000L;

  private final List<Fabric> fabrics;

  private ContractWorld(List<Fabric> fabrics) {
    this.fabrics = fabrics;
  }

  /** The seed of a test run: system property {@code jgin.seed}, otherwise 1. */
  static long seed() {
    return Long.getLong("jgin.seed", 1);
  }

  static ContractWorld open(String spec, int ranks, int contexts, long seed) {
    FabricSpec parsed = FabricSpec.parse(spec, contexts, seed);
    FabricProvider provider = Fabrics.require(parsed);
    List<Bootstrap> bootstraps = InProcessBootstrap.world(ranks);
    return new ContractWorld(onThreads(ranks, r -> provider.open(parsed, bootstraps.get(r))));
  }

  Fabric fabric(int rank) {
    return fabrics.get(rank);
  }

  int ranks() {
    return fabrics.size();
  }

  /** Registers the same region on every rank; indexed by rank. */
  List<Region> register(String name, long bytes, RegionKind kind) {
    return onThreads(ranks(), r -> fabric(r).register(name, bytes, kind));
  }

  /** Runs a collective call on a thread per rank. The first failure is thrown as it is. */
  static <T> List<T> onThreads(int ranks, Function<Integer, T> call) {
    List<Callable<T>> calls = new ArrayList<>();
    for (int r = 0; r < ranks; r++) {
      int rank = r;
      calls.add(() -> call.apply(rank));
    }
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<T> results = new ArrayList<>();
      for (Future<T> future : threads.invokeAll(calls)) {
        results.add(future.get());
      }
      return results;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw new AssertionError(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  /** Lets the carrier move once and reaps everywhere. */
  void move() {
    for (Fabric fabric : fabrics) {
      fabric.progress();
      for (int c = 0; c < fabric.contexts(); c++) {
        fabric.poll(c);
      }
    }
    Thread.onSpinWait();
  }

  /** Moves until {@code condition} holds. */
  void await(String what, BooleanSupplier condition) {
    long start = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - start > PATIENCE_NANOS) {
        fail(fabric(0).name() + ": still waiting for " + what);
      }
      move();
    }
  }

  /** Moves until everything posted by {@code rank} on a lane is complete. */
  void awaitCompletion(int rank, int context, int peer) {
    Fabric fabric = fabric(rank);
    await(
        "completions of rank " + rank + " on lane (" + context + ", " + peer + ")",
        () -> fabric.completed(context, peer) == fabric.posted(context, peer));
  }

  /** Posts until there is room, ringing and moving on a full lane; returns the ticket. */
  long post(int rank, int context, int peer, Callable<Long> posting) {
    long[] ticket = new long[1];
    await(
        "room on lane (" + context + ", " + peer + ")",
        () -> {
          ticket[0] = call(posting);
          if (ticket[0] == Fabric.FULL) {
            fabric(rank).ring(context, peer);
          }
          return ticket[0] != Fabric.FULL;
        });
    assertTrue(ticket[0] >= 0, "ticket " + ticket[0]);
    return ticket[0];
  }

  private static long call(Callable<Long> posting) {
    try {
      return posting.call();
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  /** Loads an 8-byte word with acquire. */
  static long load(Region region, long offset) {
    return (long) WORD.getAcquire(region.local(), offset);
  }

  /** Stores an 8-byte word before it is posted. */
  static void store(Region region, long offset, long value) {
    WORD.set(region.local(), offset, value);
  }

  @Override
  public void close() {
    fabrics.forEach(Fabric::close);
  }
}
