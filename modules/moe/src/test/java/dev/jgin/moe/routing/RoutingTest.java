// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.routing;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class RoutingTest {
  /** Token t names experts 2t and 2t + 1 with weights t and t + 0.5. */
  private static Routing counting(int tokens) {
    int[] ids = new int[2 * tokens];
    float[] weights = new float[2 * tokens];
    Arrays.setAll(ids, i -> i);
    for (int i = 0; i < weights.length; i++) {
      weights[i] = i / 2f;
    }
    return Routing.of(2048, 2, ids, weights);
  }

  @Test
  void shouldNotSeeLaterChangesOfItsArrays() {
    int[] ids = {0, 1};
    float[] weights = {0.5f, 0.25f};
    Routing routing = Routing.of(4, 2, ids, weights);
    ids[0] = 3;
    weights[1] = 9f;
    routing.idsCopy()[0] = 3;
    assertEquals(0, routing.id(0, 0));
    assertEquals(0.25f, routing.weight(0, 1));
  }

  @Test
  void shouldSliceWithoutLosingItsPlace() {
    Routing part = counting(10).slice(3, 4).slice(1, 2);
    assertEquals(2, part.tokens());
    assertEquals(8, part.id(0, 0));
    assertEquals(5.5f, part.weight(1, 1));
    assertArrayEquals(new int[] {8, 9, 10, 11}, part.idsCopy());
    assertArrayEquals(new float[] {4f, 4.5f, 5f, 5.5f}, part.weightsCopy());
    assertEquals(4, Arrays.stream(part.loads()).sum());
    assertThrows(IndexOutOfBoundsException.class, () -> part.id(2, 0));
    assertThrows(IndexOutOfBoundsException.class, () -> part.id(0, 2));
    assertThrows(IndexOutOfBoundsException.class, () -> part.slice(1, 2));
  }

  @Test
  void shouldSplitAsEvenlyAsPossibleInOrder() {
    List<Routing> parts = Routing.split(counting(10), 4);
    assertEquals(List.of(3, 3, 2, 2), parts.stream().map(Routing::tokens).toList());
    assertEquals(0, parts.get(0).id(0, 0));
    assertEquals(12, parts.get(2).id(0, 0));
    assertEquals(4, Routing.split(counting(0), 4).size());
  }

  @Test
  void shouldSplitByGivenCounts() {
    List<Routing> parts = Routing.split(counting(5), new int[] {0, 4, 0, 1});
    assertEquals(List.of(0, 4, 0, 1), parts.stream().map(Routing::tokens).toList());
    assertEquals(8, parts.get(3).id(0, 0));
    assertThrows(
        IllegalArgumentException.class, () -> Routing.split(counting(5), new int[] {2, 2}));
  }

  @Test
  void shouldCycleThroughItsTokens() {
    Routing trace = counting(5);
    int next = 0;
    for (long iteration = 0; iteration < 20; iteration++) {
      Routing window = trace.window(iteration, 3);
      for (int t = 0; t < 3; t++) {
        assertEquals(next % 5 * 2, window.id(t, 0));
        assertEquals(next++ % 5 + 0.5f, window.weight(t, 1));
      }
    }
    assertEquals(13, trace.window(0, 13).tokens());
    assertEquals(4, trace.window(0, 13).id(12, 0));
    long far = Long.MAX_VALUE / 5 * 5 + 2;
    assertEquals(trace.window(2, 3).id(0, 0), trace.window(far, 3).id(0, 0));
    assertThrows(IllegalArgumentException.class, () -> counting(0).window(0, 1));
  }

  @Test
  void shouldCountOnlyLanesThatGoSomewhere() {
    Routing routing = Routing.of(3, 2, new int[] {2, -1, -1, -1, 2, 0}, new float[6]);
    assertArrayEquals(new long[] {1, 0, 2}, routing.loads());
  }

  @Test
  void shouldNameWhatIsWrong() {
    assertRefused("token 1, lane 0: expert 4 is outside [0, 4)", 4, 2, 0, 1, 4, 1);
    assertRefused("token 0, lane 1: expert -2 is outside", 4, 2, 0, -2);
    assertRefused("token 1, lane 1: expert 3 is named twice", 4, 2, 3, 1, 3, 3);
    assertRefused("2049 experts: need 1 to 2048", 2049, 1, 0);
    assertRefused("0 experts", 0, 1, 0);
    assertRefused("top-33: need 1 to 32", 64, 33);
    assertRefused("top-5 of 4 experts", 4, 5);
    assertRefused("3 ids are not a whole number of tokens of top-2", 4, 2, 0, 1, 2);
    assertMessage(
        "2 ids but 1 weights",
        assertThrows(
            IllegalArgumentException.class,
            () -> Routing.of(4, 2, new int[] {0, 1}, new float[1])));
    for (float weight : new float[] {Float.NaN, Float.NEGATIVE_INFINITY}) {
      assertMessage(
          "token 0, lane 1: weight " + weight + " is not finite",
          assertThrows(
              IllegalArgumentException.class,
              () -> Routing.of(4, 2, new int[] {0, 1}, new float[] {1f, weight})));
    }
  }

  @Test
  void shouldAllowTheSameExpertInNeighbouringTokens() {
    assertEquals(3, Routing.of(1, 1, new int[] {0, 0, 0}, new float[3]).loads()[0]);
  }

  private static void assertRefused(String start, int experts, int topK, int... ids) {
    assertMessage(
        start,
        assertThrows(
            IllegalArgumentException.class,
            () -> Routing.of(experts, topK, ids, new float[ids.length])));
  }

  private static void assertMessage(String start, Exception error) {
    assertTrue(error.getMessage().startsWith(start), error.getMessage());
  }
}
