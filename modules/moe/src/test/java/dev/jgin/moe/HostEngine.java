// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe;

import dev.jgin.gin.Communicator;
import dev.jgin.gin.spi.RankTask.Step;
import dev.jgin.moe.contract.EngineUnderTest;
import dev.jgin.moe.oracle.RankInput;
import dev.jgin.moe.oracle.SeenRows;
import java.lang.foreign.MemorySegment;

/** The host engine as the contract suite drives it. */
public final class HostEngine implements EngineUnderTest {
  private final EpEngine engine;
  private final EpPlan[] plans;

  /** Makes the engine of one rank; collective. */
  public HostEngine(Communicator communicator, EpConfig config) {
    this.engine = EpEngine.create(communicator, config);
    this.plans = new EpPlan[config.streams()];
    for (int s = 0; s < plans.length; s++) {
      plans[s] = engine.newPlan();
    }
  }

  /** One stream of the engine. */
  public EpStream stream(int stream) {
    return engine.stream(stream);
  }

  @Override
  public void beginDispatch(int stream, RankInput input, boolean cached) {
    EpStream on = engine.stream(stream);
    on.stage(input.tokens(), 0, input.scales(), 0, input.routing().tokens());
    if (!cached) {
      plans[stream].plan(input.routing());
    }
    on.beginDispatch(plans[stream]);
  }

  @Override
  public Step stepDispatch(int stream) {
    return engine.stream(stream).stepDispatch();
  }

  @Override
  public SeenRows received(int stream) {
    return new Seen(engine.stream(stream).dispatched());
  }

  @Override
  public MemorySegment expertOutput(int stream) {
    return engine.stream(stream).expertOutput();
  }

  @Override
  public long expertOutputAt(int stream, long row) {
    return engine.stream(stream).expertOutputOffset(row);
  }

  @Override
  public void beginCombine(int stream) {
    engine.stream(stream).beginCombine();
  }

  @Override
  public Step stepCombine(int stream) {
    return engine.stream(stream).stepCombine();
  }

  @Override
  public MemorySegment combined(int stream) {
    return engine.stream(stream).combined();
  }

  @Override
  public void close() {
    engine.close();
  }

  private record Seen(DispatchResult result) implements SeenRows {
    @Override
    public long rows() {
      return result.rows();
    }

    @Override
    public long start(int expert) {
      return result.expertStart(expert);
    }

    @Override
    public long count(int expert) {
      return result.expertRows(expert);
    }

    @Override
    public MemorySegment payload() {
      return result.payload();
    }

    @Override
    public long payloadAt(long row) {
      return result.payloadOffset(row);
    }

    @Override
    public MemorySegment scales() {
      return result.scales();
    }

    @Override
    public long scalesAt(long row) {
      return result.scalesOffset(row);
    }

    @Override
    public int source(long row) {
      return result.sourceRank(row);
    }

    @Override
    public int token(long row) {
      return result.sourceToken(row);
    }

    @Override
    public int lane(long row) {
      return result.lane(row);
    }

    @Override
    public float weight(long row) {
      return result.weight(row);
    }

    @Override
    public int localExpert(long row, int lane) {
      return result.localExpert(row, lane);
    }

    @Override
    public float weight(long row, int lane) {
      return result.weight(row, lane);
    }
  }
}
