// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gpu.proxy;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jgin.bindings.abi.abi_h;
import dev.jgin.gin.Barrier;
import dev.jgin.gin.BarrierOptions;
import dev.jgin.gin.BarrierProtocol;
import dev.jgin.gin.Communicator;
import dev.jgin.gin.CommunicatorOptions;
import dev.jgin.gin.FenceLevel;
import dev.jgin.gin.LocalWorld;
import dev.jgin.gin.Window;
import dev.jgin.gin.spi.FabricSpec;
import dev.jgin.gin.spi.RankTask.Step;
import dev.jgin.gin.spi.Region;
import dev.jgin.gin.spi.RegionKind;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/** One rank that sends to itself on two contexts, stepped by the test. Its stream is number 5. */
final class SelfWorld implements AutoCloseable {
  static final long WINDOW_BYTES = 256;
  static final BarrierOptions FAN_IN =
      BarrierOptions.of(BarrierProtocol.FAN_IN_ALL_CONTEXTS, FenceLevel.PUT);

  final Communicator comm;
  final Window send;
  final Window receive;
  final Region signals;
  final ProxyEngine engine;
  final ProxyStream stream;
  final MemorySegment words;
  private final LocalWorld world;
  private final Arena arena = Arena.ofShared();
  private final List<RingMemory> rings;
  private final List<RingProducer> producers;

  SelfWorld() {
    this("emulated", ProxyOptions.defaults());
  }

  SelfWorld(String fabric, ProxyOptions options) {
    this.world = LocalWorld.open(FabricSpec.parse(fabric, 2, 1), 1, CommunicatorOptions.defaults());
    this.comm = world.communicator(0);
    this.send = comm.registerWindow("send", WINDOW_BYTES);
    this.receive = comm.registerWindow("receive", WINDOW_BYTES);
    this.signals = comm.fabric().register("cells", 64, RegionKind.SIGNAL);
    this.words = arena.allocate(ProxyWords.BYTES, 128);
    this.rings =
        List.of(RingMemory.allocate(0, 0, 16, arena), RingMemory.allocate(1, 0, 16, arena));
    this.producers = rings.stream().map(ring -> new RingProducer(ring, 1)).toList();
    this.engine = new ProxyEngine(comm, options);
    this.stream =
        engine.register(
            new ProxyStreamSpec(
                5, windows(), barrier("dispatch"), barrier("combine"), rings, words));
  }

  ProxyWindows windows() {
    return ProxyWindows.none()
        .with(abi_h.JGIN_WINDOW_SEND_ROWS(), send)
        .with(abi_h.JGIN_WINDOW_RECEIVE_ROWS(), receive)
        .withSignals(signals);
  }

  private Barrier barrier(String name) {
    return comm.barrier(name, comm.world(), FAN_IN);
  }

  RingMemory ring(int ring) {
    return rings.get(ring);
  }

  RingProducer producer(int ring) {
    return producers.get(ring);
  }

  long consumed(int ring) {
    return rings.get(ring).consumed().get(ValueLayout.JAVA_LONG, 0);
  }

  /** Both rings arrive at an operation, which passes. */
  void pass(int kind, long epoch) {
    for (RingProducer producer : producers) {
      assertTrue(producer.beginArrive(kind, epoch));
      producer.finish();
    }
    for (int steps = 0; stream.passed(kind) != epoch; steps++) {
      assertTrue(steps < 1_000_000, "not passed");
      stream.requireUsable();
      engine.step();
    }
  }

  /** Steps until nothing moves; the plain carrier needs no more than a few looks. */
  void stepUntilIdle() {
    for (int waits = 0, steps = 0; waits < 4; steps++) {
      assertTrue(steps < 1_000_000, "it moves for ever");
      waits = engine.step() == Step.WAITING ? waits + 1 : 0;
    }
  }

  @Override
  public void close() {
    world.close();
    arena.close();
  }
}
