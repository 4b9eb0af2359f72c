// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gin;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jgin.gin.spi.Axiom;
import dev.jgin.gin.spi.Axioms;
import java.util.EnumSet;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class UnsoundProtocolTest {

  private static final Axioms RC = Axioms.reliableConnected(64);

  private static String refusal(
      BarrierProtocol protocol, FenceLevel fence, int contexts, Axioms axioms) {
    return assertThrows(
            UnsoundProtocolException.class,
            () -> UnsoundProtocolException.check(protocol, fence, contexts, axioms, "carrier x"))
        .getMessage();
  }

  private static void accepted(
      BarrierProtocol protocol, FenceLevel fence, int contexts, Axioms axioms) {
    assertDoesNotThrow(
        () -> UnsoundProtocolException.check(protocol, fence, contexts, axioms, "carrier x"));
  }

  @Test
  void shouldRefuseTheSingleSignalOverSeveralContexts() {
    String why = refusal(BarrierProtocol.SINGLE_CONTEXT, FenceLevel.PUT, 4, RC);
    assertTrue(why.contains("overtake") && why.contains("FAN_IN_ALL_CONTEXTS"), why);
    why = refusal(BarrierProtocol.FLUSH_THEN_SINGLE_CONTEXT, FenceLevel.PUT_AND_GET, 4, RC);
    assertTrue(why.contains("A3+") && why.contains("source is reusable"), why);
  }

  @Test
  void shouldAcceptTheSingleSignalWhereItIsSound() {
    accepted(BarrierProtocol.SINGLE_CONTEXT, FenceLevel.PUT, 1, RC);
    accepted(BarrierProtocol.SINGLE_CONTEXT, FenceLevel.NONE, 4, RC);
    accepted(BarrierProtocol.SINGLE_CONTEXT, FenceLevel.GET, 4, RC);
    Axioms visible = new Axioms(EnumSet.of(Axiom.A6, Axiom.A3_COMPLETION_IS_VISIBLE), 64);
    accepted(BarrierProtocol.FLUSH_THEN_SINGLE_CONTEXT, FenceLevel.PUT, 4, visible);
  }

  @Test
  void shouldAskTheFanInProtocolsForWhatTheyNeedOnly() {
    accepted(BarrierProtocol.FAN_IN_ALL_CONTEXTS, FenceLevel.PUT, 4, RC.without(Axiom.A1W));
    accepted(BarrierProtocol.FAN_IN_USED_CONTEXTS, FenceLevel.PUT, 4, RC.without(Axiom.A6));
    String why =
        refusal(BarrierProtocol.FAN_IN_ALL_CONTEXTS, FenceLevel.PUT, 4, RC.without(Axiom.A6));
    assertTrue(why.contains("A6") && why.contains("FAN_IN_USED_CONTEXTS"), why);
    why = refusal(BarrierProtocol.FAN_IN_USED_CONTEXTS, FenceLevel.PUT, 4, RC.without(Axiom.A4));
    assertTrue(why.contains("A4") && why.contains("ORDER_FREE"), why);
  }

  @Test
  void shouldAskOrderFreeForAGranuleOnly() {
    Axioms nothing = new Axioms(EnumSet.noneOf(Axiom.class), 16);
    accepted(BarrierProtocol.ORDER_FREE, FenceLevel.PUT, 4, nothing);
    Axioms less = new Axioms(EnumSet.noneOf(Axiom.class), 8);
    String why = refusal(BarrierProtocol.ORDER_FREE, FenceLevel.PUT, 4, less);
    assertTrue(why.contains("granules of at least 16 bytes"), why);
  }

  @Test
  void shouldTellTheSameSentenceWithoutThrowing() {
    BarrierProtocol protocol = BarrierProtocol.SINGLE_CONTEXT;
    assertEquals(
        refusal(protocol, FenceLevel.PUT, 4, RC),
        protocol.refusal(FenceLevel.PUT, 4, RC, "carrier x").orElseThrow());
    assertEquals(Optional.empty(), protocol.refusal(FenceLevel.PUT, 1, RC, "carrier x"));
  }
}
