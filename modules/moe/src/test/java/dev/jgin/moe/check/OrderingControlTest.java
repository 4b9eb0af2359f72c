// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jgin.gin.BarrierProtocol;
import dev.jgin.moe.check.OrderingControl.End;
import dev.jgin.moe.contract.Carrier;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The positive control of the whole module: on a carrier that promises what RC verbs promise and
 * not one thing more, the unsound protocols are caught and the sound ones are clean.
 */
class OrderingControlTest {
  private static final EnumSet<BarrierProtocol> UNSOUND =
      EnumSet.of(BarrierProtocol.SINGLE_CONTEXT, BarrierProtocol.FLUSH_THEN_SINGLE_CONTEXT);
  private static final EnumSet<BarrierProtocol> FAN_IN =
      EnumSet.of(BarrierProtocol.FAN_IN_ALL_CONTEXTS, BarrierProtocol.FAN_IN_USED_CONTEXTS);

  /** Seeds of each push; the deep tests and the command's own script run all twenty. */
  private static final long FEW = 2;

  private static final long ALL = 20;

  @ParameterizedTest
  @EnumSource(BarrierProtocol.class)
  void shouldCatchTheUnsoundAndOnlyThose(BarrierProtocol protocol) {
    requireRight(Carrier.ADVERSARIAL, protocol, FEW);
  }

  @ParameterizedTest
  @EnumSource(BarrierProtocol.class)
  @Tag("deep")
  void shouldCatchTheUnsoundAndOnlyThoseInEverySeed(BarrierProtocol protocol) {
    requireRight(Carrier.ADVERSARIAL, protocol, ALL);
  }

  @ParameterizedTest
  @EnumSource(
      value = BarrierProtocol.class,
      names = {"FAN_IN_ALL_CONTEXTS", "FAN_IN_USED_CONTEXTS", "ORDER_FREE"})
  void shouldNotNeedOrderBetweenWrites(BarrierProtocol protocol) {
    requireRight(Carrier.WITHOUT_WRITE_ORDER, protocol, FEW);
  }

  @ParameterizedTest
  @EnumSource(
      value = BarrierProtocol.class,
      names = {"FAN_IN_ALL_CONTEXTS", "FAN_IN_USED_CONTEXTS", "ORDER_FREE"})
  @Tag("deep")
  void shouldNotNeedOrderBetweenWritesInAnySeed(BarrierProtocol protocol) {
    requireRight(Carrier.WITHOUT_WRITE_ORDER, protocol, ALL);
  }

  @Test
  void shouldNeedOrderOfSignalsBehindWritesUnlessLinesAreTagged() {
    requireOnlyOrderFree(FEW);
  }

  @Test
  @Tag("deep")
  void shouldNeedOrderOfSignalsBehindWritesUnlessLinesAreTaggedInAnySeed() {
    requireOnlyOrderFree(ALL);
  }

  /** Rows whose first line is fresh and whose others are not: only their checksum tells. */
  @Test
  void shouldMeetTornRowsThatOnlyAuditSees() {
    Map<Symptom, Long> seen = OrderingControl.symptoms(BarrierProtocol.SINGLE_CONTEXT, 1, true);
    Map<Symptom, Long> missed = OrderingControl.symptoms(BarrierProtocol.SINGLE_CONTEXT, 1, false);
    System.out.println("SINGLE_CONTEXT, with audit: " + seen + ", without: " + missed);
    assertTrue(seen.containsKey(Symptom.TORN), seen::toString);
    assertFalse(missed.containsKey(Symptom.TORN), missed::toString);
  }

  private static void requireOnlyOrderFree(long seeds) {
    for (BarrierProtocol protocol : FAN_IN) {
      Map<End, Long> ends = ends(Carrier.WITHOUT_SIGNAL_ORDER, protocol, seeds);
      System.out.println(protocol + " without A4: " + ends);
      assertEquals(Map.of(End.CAUGHT, seeds), ends, protocol.toString());
    }
    assertEquals(
        Map.of(End.CLEAN, seeds),
        ends(Carrier.WITHOUT_SIGNAL_ORDER, BarrierProtocol.ORDER_FREE, seeds));
  }

  private static void requireRight(String fabric, BarrierProtocol protocol, long seeds) {
    End expected = UNSOUND.contains(protocol) ? End.CAUGHT : End.CLEAN;
    assertEquals(Map.of(expected, seeds), ends(fabric, protocol, seeds), fabric);
  }

  private static Map<End, Long> ends(String fabric, BarrierProtocol protocol, long seeds) {
    List<Long> all = LongStream.rangeClosed(1, seeds).boxed().toList();
    Map<End, Long> ends = new TreeMap<>();
    for (long seed : all) {
      ends.merge(OrderingControl.of(fabric, protocol, seed), 1L, Long::sum);
    }
    return ends;
  }
}
