// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gin.barrier;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jgin.gin.BarrierProtocol;
import dev.jgin.gin.barrier.BarrierModel.Config;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every schedule of the shipped barrier steps within small bounds (ranks × contexts × rows ×
 * epochs). Three epochs at least: two prove nothing about reuse.
 */
class BarrierExplorationTest {

  private static final long NEAR_32_BIT_WRAP = 0xFFFF_FFFEL;

  private static Config config(BarrierProtocol protocol, int n, int c, int rows, int epochs) {
    return Config.of(BarrierModel.options(protocol, 0), n, c, rows, epochs);
  }

  private static void assertSound(Config config) {
    Explorer.Result result = Explorer.explore(new BarrierModel(config));
    System.out.printf("%s: %,d states%n", config, result.states());
    assertEquals(Optional.empty(), result.counterexample(), config.toString());
  }

  private static List<String> assertUnsound(Config config) {
    Explorer.Result result = Explorer.explore(new BarrierModel(config));
    assertTrue(result.counterexample().isPresent(), () -> "no counterexample for " + config);
    System.out.println(config + " is unsound:");
    result.counterexample().get().forEach(step -> System.out.println("  " + step));
    return result.counterexample().get();
  }

  @ParameterizedTest
  @EnumSource(names = {"FAN_IN_ALL_CONTEXTS", "FAN_IN_USED_CONTEXTS", "ORDER_FREE"})
  void shouldBeSoundOverSeveralContexts(BarrierProtocol protocol) {
    assertSound(config(protocol, 2, 3, 2, 3));
    assertSound(config(protocol, 2, 2, 1, 4));
  }

  @ParameterizedTest
  @EnumSource(names = {"FAN_IN_ALL_CONTEXTS", "FAN_IN_USED_CONTEXTS", "ORDER_FREE"})
  void shouldBeSoundOverThreeRanks(BarrierProtocol protocol) {
    assertSound(config(protocol, 3, 2, 1, 3));
  }

  @ParameterizedTest
  @EnumSource(names = {"SINGLE_CONTEXT", "FLUSH_THEN_SINGLE_CONTEXT"})
  void shouldShowTheSignalOvertakingTheRow(BarrierProtocol protocol) {
    List<String> steps = assertUnsound(config(protocol, 2, 2, 1, 2));
    assertTrue(steps.getLast().contains("epoch 0 instead of 1"), steps::toString);
  }

  @ParameterizedTest
  @EnumSource(names = {"SINGLE_CONTEXT", "FLUSH_THEN_SINGLE_CONTEXT"})
  void shouldBeSoundOverOneContext(BarrierProtocol protocol) {
    assertSound(config(protocol, 2, 1, 2, 4));
  }

  @ParameterizedTest
  @EnumSource(names = {"FAN_IN_ALL_CONTEXTS", "FAN_IN_USED_CONTEXTS", "ORDER_FREE"})
  void shouldNotNeedPostingOrderOfWrites(BarrierProtocol protocol) {
    assertSound(config(protocol, 2, 2, 2, 3).withoutA1w());
  }

  @ParameterizedTest
  @EnumSource(names = {"FAN_IN_ALL_CONTEXTS", "FAN_IN_USED_CONTEXTS"})
  void shouldNeedSignalsBehindWrites(BarrierProtocol protocol) {
    assertUnsound(config(protocol, 2, 2, 1, 3).withoutA4());
  }

  @Test
  void shouldNeedNoOrderAtAll() {
    assertSound(config(BarrierProtocol.ORDER_FREE, 2, 2, 2, 3).withoutA1w().withoutA4());
  }

  @ParameterizedTest
  @EnumSource(names = {"FAN_IN_ALL_CONTEXTS", "FAN_IN_USED_CONTEXTS", "ORDER_FREE"})
  void shouldHoldBackARankWhosePeerSendsNothing(BarrierProtocol protocol) {
    assertSound(config(protocol, 2, 2, 2, 4).withIdleRank(1));
  }

  @ParameterizedTest
  @ValueSource(longs = {NEAR_32_BIT_WRAP, Long.MAX_VALUE - 1})
  void shouldSurviveTheWrapOfItsEpochs(long initialEpoch) {
    for (BarrierProtocol protocol :
        List.of(
            BarrierProtocol.FAN_IN_ALL_CONTEXTS,
            BarrierProtocol.FAN_IN_USED_CONTEXTS,
            BarrierProtocol.ORDER_FREE)) {
      assertSound(Config.of(BarrierModel.options(protocol, initialEpoch), 2, 2, 1, 4));
    }
  }
}
