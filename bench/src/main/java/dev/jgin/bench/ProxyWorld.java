// SPDX-License-Identifier: Apache-2.0
package dev.jgin.bench;

import dev.jgin.bindings.abi.abi_h;
import dev.jgin.gin.Barrier;
import dev.jgin.gin.BarrierOptions;
import dev.jgin.gin.BarrierProtocol;
import dev.jgin.gin.Communicator;
import dev.jgin.gin.CommunicatorOptions;
import dev.jgin.gin.Fabrics;
import dev.jgin.gin.FenceLevel;
import dev.jgin.gin.InProcessBootstrap;
import dev.jgin.gin.Window;
import dev.jgin.gin.spi.Fabric;
import dev.jgin.gin.spi.FabricSpec;
import dev.jgin.gpu.proxy.ProxyEngine;
import dev.jgin.gpu.proxy.ProxyOptions;
import dev.jgin.gpu.proxy.ProxyStream;
import dev.jgin.gpu.proxy.ProxyStreamSpec;
import dev.jgin.gpu.proxy.ProxyWindows;
import java.lang.foreign.MemorySegment;

/** One rank that sends to itself, and a proxy that drains full rings on the caller's thread. */
final class ProxyWorld implements AutoCloseable {
  static final int CONTEXTS = 4;
  static final long RING = 4096;
  static final long WINDOW = 1L << 20;

  private final Communicator comm;
  private final FilledRings filled;
  private final ProxyWindows windows;
  private final Barrier dispatch;
  private final Barrier combine;
  private final MemorySegment words;

  /** Puts of {@code bytes} over {@code fabric}: {@code null}, or a specification. */
  ProxyWorld(String fabric, long bytes) {
    this.comm = Communicator.create(open(fabric), CommunicatorOptions.defaults());
    this.filled = new FilledRings(CONTEXTS, RING, bytes, WINDOW - bytes);
    Window send = comm.registerWindow("send", WINDOW);
    Window receive = comm.registerWindow("receive", WINDOW);
    this.windows =
        ProxyWindows.none()
            .with(abi_h.JGIN_WINDOW_SEND_ROWS(), send)
            .with(abi_h.JGIN_WINDOW_RECEIVE_ROWS(), receive);
    this.dispatch = barrier("dispatch");
    this.combine = barrier("combine");
    this.words = filled.arena().allocate(128, 128);
  }

  private static Fabric open(String fabric) {
    if (fabric.equals("null")) {
      return new NullFabric(CONTEXTS);
    }
    FabricSpec spec = FabricSpec.parse(fabric, CONTEXTS, 1);
    return Fabrics.require(spec).open(spec, InProcessBootstrap.world(1).getFirst());
  }

  private Barrier barrier(String name) {
    return comm.barrier(
        name,
        comm.world(),
        BarrierOptions.of(BarrierProtocol.FAN_IN_USED_CONTEXTS, FenceLevel.PUT));
  }

  FilledRings filled() {
    return filled;
  }

  /** Drains all rings once; a new engine each time, because an engine never goes back. */
  long drain() {
    ProxyEngine engine = new ProxyEngine(comm, ProxyOptions.defaults());
    ProxyStream stream =
        engine.register(new ProxyStreamSpec(0, windows, dispatch, combine, filled.rings(), words));
    long wanted = filled.descriptors();
    while (stream.descriptors() < wanted) {
      engine.step();
      stream.requireUsable();
    }
    return wanted;
  }

  @Override
  public void close() {
    comm.close();
    filled.close();
  }
}
