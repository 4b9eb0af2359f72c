// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gin;

import dev.jgin.gin.spi.Bootstrap;
import dev.jgin.gin.spi.FabricProvider;
import dev.jgin.gin.spi.FabricSpec;
import dev.jgin.gin.spi.RankTask;
import dev.jgin.gin.spi.StepScheduler;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * All ranks of a communicator inside one process: for embedding, tests and experiments.
 *
 * <p>Collective set-up runs on one short-lived thread per rank, because it blocks until all ranks
 * have come; the ranks' programs then run as non-blocking steps on the carrier's own scheduler or
 * on a few worker threads. Not thread-safe.
 */
public final class LocalWorld implements AutoCloseable {

  private final List<Communicator> communicators;
  private final StepScheduler scheduler;

  private LocalWorld(List<Communicator> communicators, StepScheduler scheduler) {
    this.communicators = communicators;
    this.scheduler = scheduler;
  }

  /**
   * Opens {@code ranks} ends of a carrier and a communicator on each.
   *
   * @throws IllegalArgumentException if the specification is not understood
   * @throws IllegalStateException if the carrier is not available here
   */
  public static LocalWorld open(FabricSpec spec, int ranks, CommunicatorOptions options) {
    FabricProvider provider = Fabrics.require(spec);
    List<Bootstrap> bootstraps = InProcessBootstrap.world(ranks);
    List<Callable<Communicator>> openings = new ArrayList<>();
    for (Bootstrap bootstrap : bootstraps) {
      openings.add(() -> Communicator.create(provider.open(spec, bootstrap), options));
    }
    List<Communicator> communicators = allRanks(openings);
    StepScheduler scheduler =
        communicators
            .getFirst()
            .fabric()
            .scheduler()
            .orElseGet(() ->
                new WorkerScheduler(
                    Math.min(ranks, Runtime.getRuntime().availableProcessors()),
                    options.waiting()));
    return new LocalWorld(communicators, scheduler);
  }

  /** Number of ranks. */
  public int size() {
    return communicators.size();
  }

  /** The communicator of a rank. */
  public Communicator communicator(int rank) {
    return communicators.get(rank);
  }

  /** Runs collective set-up on every rank and returns the results by rank. */
  public <T> List<T> onEachRank(RankSetup<T> setup) {
    List<Callable<T>> calls = new ArrayList<>();
    for (Communicator communicator : communicators) {
      calls.add(() -> setup.apply(communicator));
    }
    return allRanks(calls);
  }

  /** Runs the ranks' programs, the index being the rank, until each is done. */
  public void run(List<? extends RankTask> tasks) {
    if (tasks.size() != communicators.size()) {
      throw new IllegalArgumentException(
          tasks.size() + " programs for " + communicators.size() + " ranks: give one per rank");
    }
    scheduler.run(tasks);
  }

  @Override
  public void close() {
    communicators.forEach(Communicator::close);
  }

  private static <T> List<T> allRanks(List<Callable<T>> calls) {
    // These threads only block in collective set-up; none of them polls.
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<T>> futures = new ArrayList<>();
      for (Callable<T> call : calls) {
        futures.add(threads.submit(call));
      }
      return results(futures);
    }
  }

  /** The first failure cancels the others, which wait for it in vain. */
  private static <T> List<T> results(List<Future<T>> futures) {
    List<T> results = new ArrayList<>();
    RuntimeException failure = null;
    for (Future<T> future : futures) {
      try {
        results.add(future.get());
      } catch (CancellationException _) {
        // Cancelled because of the failure that is already noted.
      } catch (ExecutionException e) {
        failure = worse(failure, e.getCause());
        futures.forEach(f -> f.cancel(true));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        failure = new IllegalStateException("interrupted during collective set-up", e);
        futures.forEach(f -> f.cancel(true));
      }
    }
    if (failure != null) {
      throw failure;
    }
    return results;
  }

  private static RuntimeException worse(RuntimeException first, Throwable next) {
    RuntimeException failure =
        next instanceof RuntimeException e ? e : new IllegalStateException(next);
    if (first == null) {
      return failure;
    }
    first.addSuppressed(failure);
    return first;
  }
}
