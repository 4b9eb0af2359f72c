// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.oracle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.jgin.moe.numeric.DType;
import dev.jgin.moe.numeric.ScaleFormat;
import dev.jgin.moe.routing.Routing;
import dev.jgin.moe.routing.RoutingVariants;
import dev.jgin.moe.routing.UniformRouting;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DenseCombineTest {
  private static final int TOKENS = 32;

  @Test
  void shouldSumInLaneOrderFromZeroAndRoundOnce() {
    // One rank, FP32: what is left is the order of additions.
    OracleShape shape = new OracleShape(1, 4, 4, DType.FP32, ScaleFormat.NONE, DType.FP32, 1);
    Routing routing = Routing.of(4, 3, new int[] {2, -1, 0}, new float[] {1e8f, 9f, 1f});
    MemorySegment row = MemorySegment.ofArray(new float[] {1f, -1f, .5f, 2f});
    MemorySegment out = MemorySegment.ofArray(new float[4]);
    RankInput input = new RankInput(routing, row, row);
    new DenseCombine(shape).canonical(input, 0, out, 0);
    for (int i = 0; i < 4; i++) {
      float x = Scalars.read(DType.FP32, row, 4L * i);
      float first = 0f + 1e8f * ExpertFunction.at(2, i, x);
      float expected = first + 1f * ExpertFunction.at(0, i, x);
      assertEquals(expected, Scalars.read(DType.FP32, out, 4L * i));
    }
  }

  @Test
  void shouldGiveZeroForAMaskedToken() {
    OracleShape shape = new OracleShape(2, 4, 8, DType.BF16, ScaleFormat.NONE, DType.BF16, 1);
    Routing routing = Routing.of(4, 2, new int[] {-1, -1}, new float[] {1f, 1f});
    MemorySegment out = MemorySegment.ofArray(new byte[16]);
    out.fill((byte) 0x55);
    RankInput input = new RankInput(routing, MemorySegment.ofArray(new byte[16]), out);
    new DenseCombine(shape).canonical(input, 0, out, 0);
    assertEquals(-1, out.mismatch(MemorySegment.ofArray(new byte[16])));
  }

  @ParameterizedTest
  @EnumSource(
      value = DType.class,
      names = {"BF16", "FP16", "FP32"})
  void shouldReduceOnOneRankToTheCanonicalBits(DType combine) {
    assertEquals(combined(1, combine, false), combined(1, combine, true));
    assertEquals(combined(1, combine, false), combined(8, combine, false));
  }

  @Test
  void shouldReduceToOtherBitsWhenLanesShareARank() {
    assertNotEquals(combined(4, DType.BF16, false), combined(4, DType.BF16, true));
  }

  @Test
  void shouldTellAllExpertsApart() {
    Set<String> outputs = new HashSet<>();
    for (int e = 0; e < Routing.MAX_EXPERTS; e++) {
      outputs.add(ExpertFunction.at(e, 0, 1.4f) + " " + ExpertFunction.at(e, 1, 1.3f));
    }
    assertEquals(Routing.MAX_EXPERTS, outputs.size());
  }

  @Test
  void shouldWeighLanesOfOneRowAsReducedDoes() {
    OracleShape shape = shape(1, DType.BF16);
    Routing routing = new UniformRouting(16, 6).generate(1, 5);
    try (Arena arena = Arena.ofConfined()) {
      RankInput input = new TokenPayload(shape, 3).input(0, routing, 1, arena);
      MemorySegment reduced = arena.allocate(shape.combineRowBytes());
      MemorySegment weighed = arena.allocate(shape.combineRowBytes());
      new DenseCombine(shape).reduced(input, 0, reduced, 0);
      new ExpertFunction(shape)
          .applyWeighted(
              routing.idsCopy(),
              routing.weightsCopy(),
              6,
              input.tokens(),
              0,
              input.scales(),
              0,
              weighed,
              0);
      assertEquals(-1, reduced.mismatch(weighed));
    }
  }

  /** The combined rows of all tokens of one rank, as text. */
  private static String combined(int ranks, DType combine, boolean reduced) {
    OracleShape shape = shape(ranks, combine);
    Routing routing =
        RoutingVariants.masked(new UniformRouting(16, 6).generate(TOKENS, 11), .1, .1, 12);
    StringBuilder out = new StringBuilder();
    try (Arena arena = Arena.ofConfined()) {
      RankInput input = new TokenPayload(shape, 3).input(0, routing, 1, arena);
      MemorySegment row = arena.allocate(shape.combineRowBytes());
      DenseCombine dense = new DenseCombine(shape);
      for (int t = 0; t < TOKENS; t++) {
        if (reduced) {
          dense.reduced(input, t, row, 0);
        } else {
          dense.canonical(input, t, row, 0);
        }
        for (int i = 0; i < shape.hidden(); i++) {
          out.append(Scalars.bits(combine, row, i * combine.bytes())).append(' ');
        }
      }
    }
    return out.toString();
  }

  private static OracleShape shape(int ranks, DType combine) {
    return new OracleShape(ranks, 16, 256, DType.FP8_E4M3, ScaleFormat.FP32, combine, 1);
  }
}
