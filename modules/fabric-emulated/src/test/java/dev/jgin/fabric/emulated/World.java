// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.emulated;

import static org.junit.jupiter.api.Assertions.fail;

import dev.jgin.gin.InProcessBootstrap;
import dev.jgin.gin.spi.Bootstrap;
import dev.jgin.gin.spi.Fabric;
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
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;

/** All ranks of one emulated fabric under a test. */
public final class World implements AutoCloseable {

  /** An 8-byte word of a region. */
  public static final VarHandle WORD = ValueLayout.JAVA_LONG.varHandle();

  private static final long PATIENCE_NANOS = 60_000_000_000L;

  private final List<Fabric> fabrics;

  private World(List<Fabric> fabrics) {
    this.fabrics = fabrics;
  }

  /** Opens {@code spec}. */
  public static World open(String spec, int ranks, int contexts, long seed) {
    return open(spec, ranks, contexts, seed, UnaryOperator.identity());
  }

  /** Opens {@code spec} and puts a decorator around each end. */
  public static World open(
      String spec, int ranks, int contexts, long seed, UnaryOperator<Fabric> decorator) {
    FabricSpec parsed = FabricSpec.parse(spec, contexts, seed);
    EmulatedFabricProvider provider = new EmulatedFabricProvider();
    List<Bootstrap> bootstraps = InProcessBootstrap.world(ranks);
    return new World(
        onThreads(ranks, r -> decorator.apply(provider.open(parsed, bootstraps.get(r)))));
  }

  /** One rank's end. */
  public Fabric fabric(int rank) {
    return fabrics.get(rank);
  }

  /** Registers on every rank. */
  public List<Region> register(String name, long bytes, RegionKind kind) {
    return onThreads(fabrics.size(), r -> fabric(r).register(name, bytes, kind));
  }

  /** Runs a collective call on a thread per rank. */
  public static <T> List<T> onThreads(int ranks, IntFunction<T> call) {
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
      throw new AssertionError(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  /** Lets the carrier move and reaps everywhere. */
  public void move() {
    for (Fabric fabric : fabrics) {
      fabric.progress();
      for (int c = 0; c < fabric.contexts(); c++) {
        fabric.poll(c);
      }
    }
  }

  /** Moves until {@code condition} holds. */
  public void await(String what, BooleanSupplier condition) {
    long start = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - start > PATIENCE_NANOS) {
        fail("still waiting for " + what);
      }
      move();
    }
  }

  /** Loads a word with acquire. */
  public static long load(Region region, long offset) {
    return (long) WORD.getAcquire(region.local(), offset);
  }

  /** Stores a word plainly. */
  public static void store(Region region, long offset, long value) {
    WORD.set(region.local(), offset, value);
  }

  @Override
  public void close() {
    fabrics.forEach(Fabric::close);
  }
}
