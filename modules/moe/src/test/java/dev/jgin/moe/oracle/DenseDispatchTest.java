// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.oracle;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jgin.moe.numeric.DType;
import dev.jgin.moe.numeric.ScaleFormat;
import dev.jgin.moe.routing.Routing;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Two ranks, three experts (rank 0 owns expert 0, rank 1 owns 1 and 2), written out by hand. */
class DenseDispatchTest {
  private static final Routing RANK_0 =
      Routing.of(3, 2, new int[] {0, 2, -1, 1}, new float[] {.75f, .25f, 0f, 1f});
  private static final Routing RANK_1 =
      Routing.of(3, 2, new int[] {2, 1, -1, -1, 0, 2}, new float[] {.5f, .5f, 0f, 0f, .6f, .4f});

  @Test
  void shouldGroupRowsByExpertThenSourceThenToken() {
    DenseDispatch dispatch = dispatch(4);
    assertEquals(List.of("0.0.0 0.75", "1.2.0 0.6", "-", "-"), describe(dispatch.expertMajor(0)));
    assertEquals(
        List.of("0.1.1 1.0", "1.0.1 0.5", "-", "-", "0.0.1 0.25", "1.0.0 0.5", "1.2.1 0.4", "-"),
        describe(dispatch.expertMajor(1)));
    assertArrayEquals(new long[] {0, 4, 8}, dispatch.expertMajor(1).starts());
    assertArrayEquals(new long[] {2, 3}, dispatch.expertMajor(1).counts());
  }

  @Test
  void shouldListEachTokenOnceForEachRankThatItNames() {
    DenseDispatch dispatch = dispatch(1);
    assertEquals(List.of("0.0.-1 0.0", "1.2.-1 0.0"), describe(dispatch.perToken(0)));
    assertEquals(
        List.of("0.0.-1 0.0", "0.1.-1 0.0", "1.0.-1 0.0", "1.2.-1 0.0"),
        describe(dispatch.perToken(1)));
  }

  @Test
  void shouldPlaceExpertsInContiguousBlocksEvenWithMoreRanksThanExperts() {
    OracleShape shape = new OracleShape(5, 3, 8, DType.BF16, ScaleFormat.NONE, DType.BF16, 1);
    assertEquals(1, shape.owner(0));
    assertEquals(3, shape.owner(1));
    assertEquals(4, shape.owner(2));
    assertThrows(IllegalArgumentException.class, () -> shape.owner(3));
    assertTrue(!shape.isOn(0, Routing.MASKED));
  }

  private static DenseDispatch dispatch(int alignment) {
    MemorySegment none = MemorySegment.ofArray(new byte[0]);
    return new DenseDispatch(
        new OracleShape(2, 3, 8, DType.BF16, ScaleFormat.NONE, DType.BF16, alignment),
        List.of(new RankInput(RANK_0, none, none), new RankInput(RANK_1, none, none)));
  }

  private static List<String> describe(ExpectedRows rows) {
    List<String> described = new ArrayList<>();
    for (long row = 0; row < rows.size(); row++) {
      ExpectedRows.Origin o = rows.at(row);
      described.add(
          rows.isPadding(row)
              ? "-"
              : o.source() + "." + o.token() + "." + o.lane() + " " + o.weight());
    }
    return described;
  }
}
