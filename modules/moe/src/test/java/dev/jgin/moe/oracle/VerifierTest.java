// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.oracle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jgin.moe.numeric.DType;
import dev.jgin.moe.numeric.ScaleFormat;
import dev.jgin.moe.routing.Routing;
import dev.jgin.moe.routing.UniformRouting;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Each kind of wrong value is counted exactly once, and nothing else is. */
class VerifierTest {
  private static final int RANK = 1;

  private final Arena arena = Arena.ofConfined();
  private final DenseDispatch dispatch = dispatch();
  private final Verifier verifier = new Verifier(dispatch);

  @AfterEach
  void close() {
    arena.close();
  }

  static Stream<Arguments> spoils() {
    return Stream.of(
        spoil("payload", rows -> flip(rows.payload, 5)),
        spoil("scale", rows -> flip(rows.scales, 1)),
        spoil("padding", rows -> flip(rows.payload, rows.payload.byteSize() - 1)),
        spoil("padding scale", rows -> flip(rows.scales, rows.scales.byteSize() - 1)),
        spoil("source", rows -> rows.source[0] ^= 1),
        spoil("token", rows -> rows.token[0] ^= 1),
        spoil("lane", rows -> rows.lane[0] ^= 1),
        spoil("weight", rows -> rows.weight[0] = Math.nextUp(rows.weight[0])),
        spoil("start", rows -> rows.starts[1]++),
        spoil("count", rows -> rows.counts[1]--),
        spoil("rows", rows -> rows.rows--));
  }

  private static Arguments spoil(String what, Consumer<OracleRows> spoil) {
    return Arguments.of(what, spoil);
  }

  private static void flip(MemorySegment segment, long offset) {
    byte was = segment.get(ValueLayout.JAVA_BYTE, offset);
    segment.set(ValueLayout.JAVA_BYTE, offset, (byte) (was ^ 1));
  }

  @Test
  void shouldFindNothingWrongInTheExpectedRows() {
    OracleRows expanded = new OracleRows(dispatch, RANK, dispatch.expertMajor(RANK), arena);
    Verdict verdict = verifier.expertMajor(RANK, expanded);
    assertEquals(0, verdict.wrong(), verdict::describe);
    assertTrue(verdict.compared() > expanded.rows() * 128);
    OracleRows perToken = new OracleRows(dispatch, RANK, dispatch.perToken(RANK), arena);
    assertEquals(0, verifier.perToken(RANK, perToken).wrong());
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("spoils")
  void shouldCountAWrongValueOnce(String what, Consumer<OracleRows> spoil) {
    OracleRows rows = new OracleRows(dispatch, RANK, dispatch.expertMajor(RANK), arena);
    spoil.accept(rows);
    Verdict verdict = verifier.expertMajor(RANK, rows);
    assertEquals(1, verdict.wrong(), verdict::describe);
    assertEquals(what, verdict.first().getFirst().what());
  }

  @Test
  void shouldCountAWrongElementOfASumOnceAndKeepTheFirstFew() {
    OracleShape shape = dispatch.shape();
    int tokens = dispatch.input(RANK).routing().tokens();
    MemorySegment out = arena.allocate(tokens * shape.combineRowBytes());
    DenseCombine combine = new DenseCombine(shape);
    for (int t = 0; t < tokens; t++) {
      combine.canonical(dispatch.input(RANK), t, out, t * shape.combineRowBytes());
    }
    assertEquals(0, verifier.canonical(RANK, out, shape.combineRowBytes()).wrong());
    flip(out, shape.combineRowBytes() + 6);
    Verdict one = verifier.canonical(RANK, out, shape.combineRowBytes());
    assertEquals(1, one.wrong());
    Mismatch mismatch = one.first().getFirst();
    assertEquals(1, mismatch.row());
    assertEquals(3, mismatch.element());
    assertEquals(1, mismatch.expected() ^ mismatch.seen());
    out.fill((byte) 0x7F);
    Verdict all = verifier.reduced(RANK, out, shape.combineRowBytes());
    assertEquals((long) tokens * shape.hidden(), all.wrong());
    assertEquals(Verdict.KEPT, all.first().size());
  }

  private DenseDispatch dispatch() {
    OracleShape shape =
        new OracleShape(3, 6, 128, DType.FP8_E4M3, ScaleFormat.UE8M0, DType.BF16, 32);
    List<RankInput> inputs = new ArrayList<>();
    for (Routing part : Routing.split(new UniformRouting(6, 3).generate(20, 4), 3)) {
      inputs.add(new TokenPayload(shape, 9).input(inputs.size(), part, 1, arena));
    }
    return new DenseDispatch(shape, inputs);
  }
}
