// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.gpu;

import dev.jgin.gin.Communicator;
import dev.jgin.gin.spi.RankTask.Step;
import dev.jgin.gpu.Gpu;
import dev.jgin.gpu.GpuContext;
import dev.jgin.moe.EpConfig;
import dev.jgin.moe.contract.EngineUnderTest;
import dev.jgin.moe.oracle.RankInput;
import dev.jgin.moe.oracle.SeenRows;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** The GPU engine as the contract suite drives it: results are copied to host memory. */
final class GpuUnderTest implements EngineUnderTest {

  /** The worlds of one test class, one after another: all ranks on one GPU. */
  static final class Worlds implements AutoCloseable {
    private final GpuContext context = Gpu.device(0).open();
    private final KernelBlocks blocks;
    private GpuNode node;
    private int joined;
    private int left;

    Worlds(KernelBlocks blocks) {
      this.blocks = blocks;
    }

    /** One rank of a world; collective. */
    EngineUnderTest rank(Communicator communicator, EpConfig config) {
      GpuEpOptions options = GpuEpOptions.on(join(communicator.size())).withBlocks(blocks);
      return new GpuUnderTest(GpuEpEngine.create(communicator, context, config, options), this);
    }

    private synchronized GpuNode join(int ranks) {
      if (node == null || joined == node.ranks()) {
        if (node != null) {
          // A world that failed in set-up has left it open.
          node.close();
        }
        node = GpuNode.of(ranks);
        joined = 0;
        left = 0;
      }
      joined++;
      return node;
    }

    private synchronized void leave() {
      if (++left == node.ranks()) {
        node.close();
        node = null;
      }
    }

    @Override
    public void close() {
      if (node != null) {
        node.close();
      }
      context.close();
    }
  }

  private final GpuEpEngine engine;
  private final Worlds worlds;
  private final GpuEpPlan[] plans;
  private final MemorySegment[] outputs;
  private final Arena arena = Arena.ofShared();

  private GpuUnderTest(GpuEpEngine engine, Worlds worlds) {
    this.engine = engine;
    this.worlds = worlds;
    int streams = engine.config().streams();
    this.plans = new GpuEpPlan[streams];
    this.outputs = new MemorySegment[streams];
    for (int s = 0; s < streams; s++) {
      plans[s] = engine.newPlan();
      outputs[s] = arena.allocate(engine.sizes().expertRows() * engine.config().combineBytes(), 16);
    }
  }

  @Override
  public void beginDispatch(int stream, RankInput input, boolean cached) {
    GpuEpStream on = engine.stream(stream);
    on.stage(input.tokens(), 0, input.scales(), 0, input.routing().tokens());
    if (!cached) {
      plans[stream].plan(input.routing());
    }
    on.beginDispatch(plans[stream]);
  }

  // Carriers with a clock of their own let it leap where every rank waits; a GPU knows nothing of
  // it.
  private static Step busy(Step step) {
    return step == Step.WAITING ? Step.PROGRESS : step;
  }

  @Override
  public Step stepDispatch(int stream) {
    return busy(engine.stream(stream).stepDispatch());
  }

  @Override
  public SeenRows received(int stream) {
    return engine.stream(stream).dispatched().toHost(Arena.ofAuto());
  }

  @Override
  public MemorySegment expertOutput(int stream) {
    return outputs[stream];
  }

  @Override
  public long expertOutputAt(int stream, long row) {
    return row * engine.config().combineBytes();
  }

  @Override
  public void beginCombine(int stream) {
    GpuEpStream on = engine.stream(stream);
    long bytes = on.dispatched().rows() * engine.config().combineBytes();
    if (bytes > 0) {
      on.writeExpertOutput(outputs[stream].asSlice(0, bytes));
    }
    on.beginCombine();
  }

  @Override
  public Step stepCombine(int stream) {
    return busy(engine.stream(stream).stepCombine());
  }

  @Override
  public MemorySegment combined(int stream) {
    return engine.stream(stream).readCombined(Arena.ofAuto());
  }

  @Override
  public void close() {
    engine.close();
    arena.close();
    worlds.leave();
  }
}
