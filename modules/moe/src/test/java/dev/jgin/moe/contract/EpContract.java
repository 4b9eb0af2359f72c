// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jgin.moe.CombineMode;
import dev.jgin.moe.routing.Routing;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What every engine must deliver, bit for bit. A failure prints the case; the system property
 * {@code jgin.seed} replays it.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class EpContract {
  /** The engine to test. */
  protected abstract EngineFactory factory();

  /**
   * Whether the engine runs on a carrier; on the deterministic adversarial one by some protocol.
   */
  protected boolean serves(Carrier carrier) {
    return true;
  }

  private List<Carrier> served(List<Carrier> carriers) {
    return carriers.stream().filter(this::serves).toList();
  }

  Stream<EpCase> cases() {
    return EpMatrix.cases(served(Carrier.all()));
  }

  Stream<EpCase> moreCases() {
    return EpMatrix.moreCases(served(Carrier.all()));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void shouldMatchTheDenseAllToAll(EpCase test) {
    requireRight(test);
  }

  @ParameterizedTest
  @MethodSource("moreCases")
  @Tag("deep")
  void shouldMatchTheDenseAllToAllInOtherMixtures(EpCase test) {
    requireRight(test);
  }

  Stream<Arguments> kindsOnAdversarial() {
    return adversarial().stream()
        .flatMap(
            carrier -> Arrays.stream(BatchKind.values()).map(kind -> Arguments.of(carrier, kind)));
  }

  @ParameterizedTest
  @MethodSource("kindsOnAdversarial")
  void shouldServeEveryKindOfBatch(Carrier carrier, BatchKind kind) {
    requireRight(CaseBuilder.on(carrier).world(8, 4).tokens(kind, 7).build());
  }

  List<Carrier> adversarial() {
    return served(Carrier.adversarial());
  }

  List<Carrier> sound() {
    return served(Carrier.sound());
  }

  @ParameterizedTest
  @MethodSource("adversarial")
  void shouldServeMoreRanksThanExperts(Carrier carrier) {
    requireRight(CaseBuilder.on(carrier).world(8, 3).experts(3, 2).build());
  }

  @ParameterizedTest
  @MethodSource("adversarial")
  void shouldServeTheLargestTopKAndNumberOfExperts(Carrier carrier) {
    requireRight(
        CaseBuilder.on(carrier)
            .world(8, 4)
            .experts(Routing.MAX_EXPERTS, Routing.MAX_TOP_K)
            .tokens(BatchKind.MASKED, 4)
            .epochs(3, 1)
            .build());
  }

  @ParameterizedTest
  @MethodSource("adversarial")
  void shouldServe64Ranks(Carrier carrier) {
    requireRight(
        CaseBuilder.on(carrier)
            .world(64, 2)
            .experts(128, 8)
            .hidden(16)
            .tokens(BatchKind.UNEVEN, 2)
            .epochs(3, 1)
            .build());
  }

  @Test
  @Tag("deep")
  void shouldServe1024Ranks() {
    requireRight(
        CaseBuilder.on(sound().getFirst())
            .world(1024, 1)
            .experts(Routing.MAX_EXPERTS, 2)
            .hidden(8)
            .tokens(BatchKind.UNIFORM, 1)
            .epochs(2, 1)
            .build());
  }

  @ParameterizedTest
  @MethodSource("sound")
  void shouldReuseOneBufferFor50EpochsOfChangingRouting(Carrier carrier) {
    requireRight(
        CaseBuilder.on(carrier)
            .world(4, 3)
            .hidden(64)
            .tokens(BatchKind.MASKED, 2)
            .epochs(50, 1)
            .build());
  }

  /** Receive buffers alternate by parity and sources are not touched before they may be. */
  @ParameterizedTest
  @MethodSource("sound")
  void shouldDispatchBackToBackWithoutCombine(Carrier carrier) {
    requireRight(
        CaseBuilder.on(carrier)
            .world(5, 3)
            .tokens(BatchKind.MASKED, 3)
            .epochs(50, 1)
            .combines(0)
            .build());
  }

  @ParameterizedTest
  @MethodSource("sound")
  void shouldCombineADispatchAgain(Carrier carrier) {
    for (CombineMode mode : CombineMode.values()) {
      requireRight(
          CaseBuilder.on(carrier)
              .world(5, 3)
              .tokens(BatchKind.MASKED, 3)
              .epochs(10, 1)
              .combines(4)
              .engine(config -> config.combine(mode))
              .build());
    }
  }

  /** Signals carry 32 bits of an epoch: neither their sign nor their wrap may show. */
  @ParameterizedTest
  @MethodSource("sound")
  void shouldCrossTheWrapOfEpochs(Carrier carrier) {
    for (long before : new long[] {(1L << 31) - 3, (1L << 32) - 3, Long.MAX_VALUE - 3}) {
      requireRight(
          CaseBuilder.on(carrier)
              .epochs(8, 1)
              .engine(config -> config.initialEpoch(before).audit(true))
              .build());
    }
  }

  @ParameterizedTest
  @MethodSource("sound")
  void shouldReuseACachedPlan(Carrier carrier) {
    requireRight(CaseBuilder.on(carrier).tokens(BatchKind.MASKED, 5).epochs(12, 5).build());
  }

  @ParameterizedTest
  @MethodSource("sound")
  void shouldKeepBatchesInFlightApart(Carrier carrier) {
    requireRight(CaseBuilder.on(carrier).epochs(8, 1).engine(config -> config.streams(3)).build());
  }

  @ParameterizedTest
  @MethodSource("adversarial")
  void shouldGiveTheSameBitsWhateverTheSchedule(Carrier carrier) {
    for (CombineMode mode : CombineMode.values()) {
      EpCase test =
          CaseBuilder.on(carrier)
              .world(3, 4)
              .tokens(BatchKind.MASKED, 5)
              .engine(config -> config.combine(mode).streams(2))
              .build();
      String first = bits(requireRight(test.on(Carrier.ADVERSARIAL_THREADS, 1)));
      for (long seed = 1; seed <= 6; seed++) {
        assertEquals(first, bits(requireRight(test.on(test.fabric(), seed))), "seed " + seed);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 4, 8})
  void shouldCombineToTheSameBitsAtEveryNumberOfRanks(int ranks) {
    for (Carrier carrier : adversarial()) {
      assertEquals(
          bits(requireRight(GlobalBatches.of(carrier, 1))),
          bits(requireRight(GlobalBatches.of(carrier, ranks))),
          carrier.toString());
    }
  }

  static List<RoutingLog> logs() {
    return RoutingLog.available();
  }

  @ParameterizedTest
  @MethodSource("logs")
  void shouldServeRealRouting(RoutingLog log) {
    System.out.println("routing: " + log);
    for (Carrier carrier : adversarial()) {
      requireRight(log.onRanks(carrier, 8));
    }
  }

  /** Runs a case and demands that nothing is wrong. */
  protected final EpOutcome requireRight(EpCase test) {
    EpOutcome outcome;
    try {
      outcome = EpRun.of(test, factory());
    } catch (RuntimeException e) {
      throw new AssertionError(test + ": " + e.getMessage(), e);
    }
    assertEquals(0, outcome.verdict().wrong(), () -> test + ": " + outcome.verdict().describe());
    assertTrue(outcome.verdict().compared() > 0, () -> test + ": nothing was compared");
    return outcome;
  }

  /** All combined rows of a stream and epoch in order of ranks, streams and epochs outermost. */
  private static String bits(EpOutcome outcome) {
    StringBuilder out = new StringBuilder();
    int streams = outcome.combined().getFirst().size();
    for (int s = 0; s < streams; s++) {
      int epochs = outcome.combined().getFirst().get(s).size();
      for (int e = 0; e < epochs; e++) {
        for (int r = 0; r < outcome.combined().size(); r++) {
          out.append(HexFormat.of().formatHex(outcome.combined().get(r).get(s).get(e)));
        }
        out.append('\n');
      }
    }
    return out.toString();
  }
}
