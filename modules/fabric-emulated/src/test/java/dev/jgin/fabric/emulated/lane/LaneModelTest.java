// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.emulated.lane;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jgin.gin.spi.Fabric;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class LaneModelTest {

  private static final int MTU = 256;

  private final ArrayMemory source = new ArrayMemory(512);
  private final ArrayMemory target = new ArrayMemory(512);

  private LaneModel model(int depth) {
    Arrays.fill(source.words, 1);
    LaneRules rules = new LaneRules(true, true, true, true, 64, MTU, depth, 3);
    return new LaneModel(rules, source, target, Psn.MAX - 2, 1);
  }

  /** Makes the first allowed move until none is left. */
  private static void finish(LaneModel model) {
    long[] first = new long[1];
    boolean[] any = new boolean[1];
    do {
      any[0] = false;
      model.forEachEnabled(move -> {
        first[0] = any[0] ? first[0] : move;
        any[0] = true;
      });
      if (any[0]) {
        model.apply(first[0]);
      }
    } while (any[0]);
  }

  @Test
  void shouldCountPacketsAcrossTheWrap() {
    LaneModel model = model(8);
    model.postWrite(false, 0, 0, 0, 0, 3 * MTU + 1);
    model.postAtomic(0, 8, 1);
    model.postWrite(false, 0, 0, 0, 0, 0);
    model.postRead(0, 0, 0, 1024, 2 * MTU);
    model.ring();
    model.apply(LaneMove.transmit(0));
    assertEquals(1, model.packets().next());
    assertEquals(Psn.MAX - 2, model.packets().acked());
    finish(model);
    assertEquals(5, model.packets().next());
    assertEquals(5, model.packets().acked());
    assertEquals(5, model.packets().expected());
    assertEquals(4, model.packets().messages());
  }

  @Test
  void shouldCaptureTheSourceWhenItTransmits() {
    LaneModel model = model(8);
    model.postWrite(false, 0, 0, 0, 0, 8);
    model.ring();
    source.words[0] = 5;
    model.apply(LaneMove.transmit(0));
    source.words[0] = 9;
    finish(model);
    assertEquals(5, target.words[0]);
  }

  @Test
  void shouldBeFullAtItsDepthUntilReaped() {
    LaneModel model = model(2);
    assertEquals(0, model.postAtomic(0, 0, 1));
    assertEquals(1, model.postAtomic(0, 0, 1));
    assertEquals(Fabric.FULL, model.postAtomic(0, 0, 1));
    model.ring();
    finish(model);
    assertEquals(Fabric.FULL, model.postAtomic(0, 0, 1), "complete is not reaped");
    model.reap();
    assertEquals(2, model.postAtomic(0, 0, 1));
  }

  @Test
  void shouldCompleteReadsOnlyWhenTheirBytesAreHere() {
    LaneModel model = model(8);
    target.words[0] = 42;
    model.postRead(0, 0, 0, 512, 8);
    model.ring();
    model.apply(LaneMove.transmit(0));
    assertFalse(model.isEnabled(LaneMove.complete(0)));
    model.apply(LaneMove.effect(0, 0, 1));
    model.apply(LaneMove.complete(0));
    assertEquals(42, source.words[64]);
  }

  @Test
  void shouldAcceptPartOfAMessageWhenTheReceiverCloses() {
    LaneModel model = model(8);
    model.postWrite(false, 0, 0, 0, 0, 4 * MTU);
    model.ring();
    assertEquals(0, model.closeReceiver(false, 2));
    assertTrue(model.isStuck(), "the rest is never acknowledged");
    assertEquals(Psn.add(Psn.MAX - 2, 2), model.packets().expected());
    assertEquals(0, model.packets().messages());
    assertFalse(model.isDrained());
    finish(model);
    assertTrue(model.isDrained());
    assertEquals(1, target.words[2 * MTU / 8 - 1]);
    assertEquals(0, target.words[2 * MTU / 8]);
  }

  @Test
  void shouldDropWhatTheSenderHadNotSentAndLandWhatTheReceiverAccepted() {
    LaneModel model = model(8);
    model.postWrite(false, 0, 0, 0, 0, 8);
    model.postWrite(false, 0, 0, 0, 8, 8);
    model.ring();
    model.apply(LaneMove.transmit(0));
    model.closeSender();
    model.closeReceiver(false, 0);
    model.reap();
    assertEquals(2, model.reaped());
    assertThrows(IllegalStateException.class, () -> model.openReceiver(0));
    finish(model);
    assertEquals(1, target.words[0]);
    assertEquals(0, target.words[1]);
    model.openSender(7);
    model.postWrite(false, 0, 0, 0, 16, 8);
    model.ring();
    assertFalse(model.canTransmit(), "the receiver is of the generation before");
    model.openReceiver(7);
    finish(model);
    assertEquals(1, target.words[2]);
    assertEquals(0, target.words[1]);
    assertEquals(8, model.packets().expected());
  }
}
