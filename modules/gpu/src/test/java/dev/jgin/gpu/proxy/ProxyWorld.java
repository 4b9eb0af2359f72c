// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gpu.proxy;

import dev.jgin.fabric.emulated.fault.FaultPlan;
import dev.jgin.fabric.emulated.fault.FaultyFabric;
import dev.jgin.gin.BarrierProtocol;
import dev.jgin.gin.Communicator;
import dev.jgin.gin.CommunicatorOptions;
import dev.jgin.gin.Fabrics;
import dev.jgin.gin.InProcessBootstrap;
import dev.jgin.gin.spi.Bootstrap;
import dev.jgin.gin.spi.Fabric;
import dev.jgin.gin.spi.FabricProvider;
import dev.jgin.gin.spi.FabricSpec;
import dev.jgin.gin.spi.RankTask;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** All ranks of one carrier, each with a proxy and a twin of the GPU that it posts for. */
final class ProxyWorld implements AutoCloseable {

  /**
   * How a world is set up.
   *
   * @param fabric a specification such as {@code emulated:adversarial}
   * @param ringSize descriptors of each ring
   * @param epochs dispatches and combines of each rank
   */
  record Setting(
      String fabric,
      int ranks,
      int contexts,
      long seed,
      BarrierProtocol protocol,
      long ringSize,
      int epochs,
      ProxyOptions options,
      FaultPlan faults) {

    static Setting of(String fabric, BarrierProtocol protocol, long seed) {
      return new Setting(
          fabric, 4, 3, seed, protocol, 8, 40, ProxyOptions.defaults(), FaultPlan.of());
    }

    Setting world(int ranksOf, int contextsOf) {
      return new Setting(
          fabric, ranksOf, contextsOf, seed, protocol, ringSize, epochs, options, faults);
    }

    Setting rings(long size, int epochsOf) {
      return new Setting(fabric, ranks, contexts, seed, protocol, size, epochsOf, options, faults);
    }

    Setting faults(FaultPlan plan) {
      return new Setting(fabric, ranks, contexts, seed, protocol, ringSize, epochs, options, plan);
    }
  }

  final List<GpuTwin> twins;
  private final Arena arena = Arena.ofShared();

  ProxyWorld(Setting setting) {
    FabricSpec spec = FabricSpec.parse(setting.fabric(), setting.contexts(), setting.seed());
    FabricProvider provider = Fabrics.require(spec);
    List<Callable<GpuTwin>> calls = new ArrayList<>();
    for (Bootstrap bootstrap : InProcessBootstrap.world(setting.ranks())) {
      calls.add(() -> {
        Fabric fabric = provider.open(spec, bootstrap);
        // A plan without faults would still cost the carrier its order across lanes.
        Fabric used =
            setting.faults().faults().isEmpty()
                ? fabric
                : new FaultyFabric(fabric, setting.faults());
        CommunicatorOptions options = CommunicatorOptions.defaults().withAllowUnsound(true);
        return new GpuTwin(Communicator.create(used, options), setting, arena);
      });
    }
    this.twins = onThreads(calls);
  }

  private static <T> List<T> onThreads(List<Callable<T>> calls) {
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

  /** Runs proxies and twins as steps of the carrier's own scheduler, until every twin has ended. */
  void run() {
    runWithout(-1);
  }

  /** As {@link #run}, but the kernels of one rank never start. */
  void runWithout(int silent) {
    List<RankTask> tasks = new ArrayList<>();
    for (GpuTwin twin : twins) {
      tasks.add(() -> {
        boolean moved = twin.engine.step() == RankTask.Step.PROGRESS;
        boolean runs = twin.comm.rank() != silent;
        moved |= runs && twin.step();
        if (twin.isDone() || !runs) {
          return RankTask.Step.DONE;
        }
        return moved ? RankTask.Step.PROGRESS : RankTask.Step.WAITING;
      });
    }
    twins.getFirst().comm.fabric().scheduler().orElseThrow().run(tasks);
  }

  /** Steps proxies in turn with their twins on this thread, on a carrier without a scheduler. */
  void stepEach() {
    for (GpuTwin twin : twins) {
      twin.engine.step();
      twin.step();
    }
  }

  boolean isDone() {
    return twins.stream().allMatch(GpuTwin::isDone);
  }

  List<ProxyEngine> engines() {
    return twins.stream().map(twin -> twin.engine).toList();
  }

  /** Words of received rows that were not those of the epoch that the proxy had declared passed. */
  long stale() {
    return twins.stream().mapToLong(twin -> twin.stale).sum();
  }

  @Override
  public void close() {
    twins.forEach(twin -> twin.comm.close());
    arena.close();
  }
}
