// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.check;

import dev.jgin.gin.BarrierProtocol;
import dev.jgin.gin.CommunicatorOptions;
import dev.jgin.gin.LocalWorld;
import dev.jgin.gin.spi.FabricSpec;
import dev.jgin.gin.spi.RankTask.Step;
import dev.jgin.moe.EpConfig;
import dev.jgin.moe.EpConfigBuilder;
import dev.jgin.moe.HostEngine;
import dev.jgin.moe.Phase;
import dev.jgin.moe.StreamInspector;
import dev.jgin.moe.contract.EpCase;
import dev.jgin.moe.oracle.DenseDispatch;
import dev.jgin.moe.oracle.OracleShape;
import dev.jgin.moe.oracle.RankInput;
import dev.jgin.moe.oracle.TokenPayload;
import dev.jgin.moe.oracle.Verdict;
import dev.jgin.moe.oracle.Verifier;
import dev.jgin.moe.routing.Routing;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Three ranks that dispatch and combine on a carrier without disorder, in virtual time that only
 * their own waiting moves, and a hand that reaches into the receive windows of one of them, the
 * victim, when its barrier is passed and nothing is read.
 *
 * <p>Rank r owns experts 3r to 3r + 2. Every rank sends three tokens with the lanes of {@link
 * #LANES}: each rank sends each rank rows, the victim's first two rows from each rank name the same
 * expert, and nobody names its last one. Epochs 1 and 2 run clean, so that in epoch {@link #EPOCH}
 * the windows hold rows of epoch 1 where the fresh ones arrive.
 */
final class Scene implements AutoCloseable {
  static final int RANKS = 3;
  static final int CONTEXTS = 2;
  static final int VICTIM = 1;

  /** The rank whose bytes are spoilt. */
  static final int PEER = 2;

  /** The epoch in which it happens; epochs 1 and 2 ran clean. */
  static final int EPOCH = 3;

  static final int EXPERTS = 3 * RANKS;
  static final int TOP_K = 3;
  static final int TOKENS = 3;
  private static final int HIDDEN = 128;
  private static final int[] LANES = {3, 6, -1, 3, 0, -1, 4, 7, 1};
  private static final float[] WEIGHTS = {.7f, .3f, 0f, .6f, .4f, 0f, .5f, .3f, .2f};

  private final LocalWorld world;
  private final List<HostEngine> engines;
  private final OracleShape shape;
  private final Arena arena = Arena.ofConfined();
  private byte[] firstRows;
  private byte[] firstCounts;
  private byte[] firstReturns;
  private DenseDispatch expected;

  Scene(UnaryOperator<EpConfigBuilder> settings) {
    EpConfig config =
        settings
            .apply(
                EpConfig.builder(EXPERTS, TOP_K, HIDDEN)
                    .maxTokensPerRank(TOKENS + 1)
                    .barrier(BarrierProtocol.FAN_IN_ALL_CONTEXTS))
            .build();
    this.shape = EpCase.shape(config, RANKS);
    this.world =
        LocalWorld.open(
            FabricSpec.parse("emulated:ordered", CONTEXTS, 1),
            RANKS,
            CommunicatorOptions.defaults());
    this.engines = world.onEachRank(communicator -> new HostEngine(communicator, config));
  }

  /** The engine of a rank; the test's thread drives all of them. */
  HostEngine engine(int rank) {
    return engines.get(rank);
  }

  LocalWorld world() {
    return world;
  }

  StreamInspector victim() {
    return engine(VICTIM).stream(0).inspector();
  }

  /** Received rows as they stood behind epoch 1, which has the parity of {@link #EPOCH}. */
  MemorySegment firstRows() {
    return MemorySegment.ofArray(firstRows);
  }

  /** Received count blocks as they stood behind epoch 1. */
  MemorySegment firstCounts() {
    return MemorySegment.ofArray(firstCounts);
  }

  /** Returned rows as they stood behind epoch 1. */
  MemorySegment firstReturns() {
    return MemorySegment.ofArray(firstReturns);
  }

  /** Runs epochs 1 and 2 and remembers what epoch 1 left behind. */
  Scene warmUp() {
    for (int epoch = 1; epoch < EPOCH; epoch++) {
      begin(epoch);
      dispatch(() -> {});
      combine(() -> {});
      if (epoch == 1) {
        firstRows = victim().receivedRows().toArray(ValueLayout.JAVA_BYTE);
        firstCounts = victim().receivedCounts().toArray(ValueLayout.JAVA_BYTE);
        firstReturns = victim().returnedRows().toArray(ValueLayout.JAVA_BYTE);
      }
    }
    return this;
  }

  /** Begins the dispatch of {@code epoch} on every rank. */
  void begin(int epoch) {
    List<RankInput> inputs = new ArrayList<>();
    for (int rank = 0; rank < RANKS; rank++) {
      Routing routing = Routing.of(EXPERTS, TOP_K, LANES, WEIGHTS);
      inputs.add(new TokenPayload(shape, 1).input(rank, routing, epoch, arena));
      engine(rank).beginDispatch(0, inputs.get(rank), false);
    }
    expected = new DenseDispatch(shape, inputs);
  }

  /** Runs a dispatch that has begun; {@code plant} strikes between the barrier and the epilogue. */
  void dispatch(Runnable plant) {
    run(
        rank -> engine(rank).stepDispatch(0),
        () -> victim().dispatchPhase() == Phase.RECEIVING,
        plant);
  }

  /** Runs a combine; its rows carry no more than the dispatched ones of lane 0. */
  void combine(Runnable plant) {
    for (int rank = 0; rank < RANKS; rank++) {
      engine(rank).expertOutput(0).fill((byte) 0);
      engine(rank).beginCombine(0);
    }
    run(
        rank -> engine(rank).stepCombine(0),
        () -> victim().combinePhase() == Phase.RECEIVING,
        plant);
  }

  /** What the oracle says about the rows of the victim. */
  Verdict verdict() {
    return new Verifier(expected).expertMajor(VICTIM, engine(VICTIM).received(0));
  }

  private interface RankStep {
    Step of(int rank);
  }

  private interface Moment {
    boolean isNow();
  }

  private static void run(RankStep step, Moment moment, Runnable plant) {
    boolean[] done = new boolean[RANKS];
    boolean planted = false;
    for (int ranksDone = 0; ranksDone < RANKS; ) {
      for (int rank = 0; rank < RANKS; rank++) {
        if (!done[rank] && step.of(rank) == Step.DONE) {
          done[rank] = true;
          ranksDone++;
        }
        if (rank == VICTIM && !planted && moment.isNow()) {
          plant.run();
          planted = true;
        }
      }
    }
    if (!planted) {
      throw new IllegalStateException("the victim was never seen between barrier and epilogue");
    }
  }

  @Override
  public void close() {
    engines.forEach(HostEngine::close);
    world.close();
    arena.close();
  }
}
