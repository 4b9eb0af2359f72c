// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe;

import dev.jgin.gin.CommunicatorOptions;
import dev.jgin.gin.LocalWorld;
import dev.jgin.gin.spi.FabricSpec;
import dev.jgin.gin.spi.RankTask.Step;
import dev.jgin.moe.numeric.DType;
import dev.jgin.moe.numeric.Elements;
import dev.jgin.moe.routing.Routing;
import java.util.List;

/** Engines of all ranks on the plain carrier, driven in turn by the test's own thread. */
final class EngineWorld implements AutoCloseable {
  private static final int MAX_ROUNDS = 1_000_000;

  final List<EpEngine> engines;
  private final LocalWorld world;

  EngineWorld(int ranks, int contexts, EpConfig config) {
    this.world =
        LocalWorld.open(
            FabricSpec.parse("emulated:granule=64", contexts, 1),
            ranks,
            CommunicatorOptions.defaults());
    this.engines = world.onEachRank(comm -> EpEngine.create(comm, config));
  }

  EpStream stream(int rank) {
    return engines.get(rank).stream(0);
  }

  /** Writes {@code value(rank, token)} into every element of every token. */
  void fill(int tokens) {
    for (EpEngine engine : engines) {
      EpStream stream = engine.stream(0);
      EpConfig config = engine.config();
      for (int t = 0; t < tokens; t++) {
        for (int h = 0; h < config.hidden(); h++) {
          Elements.write(
              config.dtype(), stream.input(), stream.inputOffset(t), h, value(engine.rank(), t));
        }
      }
    }
  }

  static float value(int rank, int token) {
    return rank * 8 + token;
  }

  /** Every rank dispatches its own routing. */
  void dispatch(List<Routing> routing) {
    for (int r = 0; r < engines.size(); r++) {
      stream(r).beginDispatch(routing.get(r));
    }
    finishDispatch();
  }

  void finishDispatch() {
    for (int done = 0, round = 0; done < engines.size(); round++) {
      requireFinite(round);
      done = 0;
      for (int r = 0; r < engines.size(); r++) {
        EpStream stream = stream(r);
        boolean over = stream.inspector().dispatchPhase() == Phase.DONE;
        done += over || stream.stepDispatch() == Step.DONE ? 1 : 0;
      }
    }
  }

  /** Experts that return what they were given, in BF16 alike. */
  void runExperts() {
    for (int r = 0; r < engines.size(); r++) {
      EpStream stream = stream(r);
      DispatchResult in = stream.dispatched();
      int hidden = engines.get(r).config().hidden();
      for (long row = 0; row < in.rows(); row++) {
        for (int h = 0; h < hidden; h++) {
          float x = Elements.read(DType.BF16, in.payload(), in.payloadOffset(row), h);
          Elements.write(DType.BF16, stream.expertOutput(), stream.expertOutputOffset(row), h, x);
        }
      }
    }
  }

  void combine() {
    for (int r = 0; r < engines.size(); r++) {
      stream(r).beginCombine();
    }
    for (int done = 0, round = 0; done < engines.size(); round++) {
      requireFinite(round);
      done = 0;
      for (int r = 0; r < engines.size(); r++) {
        EpStream stream = stream(r);
        boolean over = stream.inspector().combinePhase() == Phase.DONE;
        done += over || stream.stepCombine() == Step.DONE ? 1 : 0;
      }
    }
  }

  private static void requireFinite(int round) {
    if (round > MAX_ROUNDS) {
      throw new AssertionError("still not done after " + MAX_ROUNDS + " rounds");
    }
  }

  @Override
  public void close() {
    engines.forEach(EpEngine::close);
    world.close();
  }
}
