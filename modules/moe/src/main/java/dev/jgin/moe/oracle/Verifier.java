// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.oracle;

import dev.jgin.moe.routing.Routing;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Compares what an engine delivered with the dense all-to-all, bit by bit. Immutable; different
 * ranks may be verified by different threads.
 */
public final class Verifier {
  private final DenseDispatch expected;
  private final OracleShape shape;

  /** A verifier against one dispatch and its combine. */
  public Verifier(DenseDispatch expected) {
    this.expected = expected;
    this.shape = expected.shape();
  }

  /**
   * Rows in expert-major order: starts and counts of experts, payload, scales and origin of each
   * row, zeros in the padding.
   */
  public Verdict expertMajor(int rank, SeenRows seen) {
    ExpectedRows rows = expected.expertMajor(rank);
    Verdict verdict = new Verdict();
    long[] starts = rows.starts();
    long[] counts = rows.counts();
    for (int e = 0; e < counts.length; e++) {
      verdict.compare(rank, "start", e, 0, starts[e], seen.start(e));
      verdict.compare(rank, "count", e, 0, counts[e], seen.count(e));
    }
    verdict.compare(rank, "rows", 0, 0, rows.size(), seen.rows());
    for (long row = 0; row < Math.min(rows.size(), seen.rows()); row++) {
      ExpectedRows.Origin origin = rows.at(row);
      if (!rows.isPadding(row)) {
        compareToken(verdict, rank, seen, row, origin);
        verdict.compare(rank, "lane", row, 0, origin.lane(), seen.lane(row));
        compareWeight(verdict, rank, row, 0, origin.weight(), seen.weight(row));
      } else {
        verdict.compare(rank, "source", row, 0, -1, seen.source(row));
      }
      compareBytes(verdict, rank, seen, row, origin);
    }
    return verdict;
  }

  /**
   * One row for each token: payload, scales and origin of each row, experts and weights of its
   * lanes.
   */
  public Verdict perToken(int rank, SeenRows seen) {
    ExpectedRows rows = expected.perToken(rank);
    Verdict verdict = new Verdict();
    verdict.compare(rank, "rows", 0, 0, rows.size(), seen.rows());
    for (long row = 0; row < Math.min(rows.size(), seen.rows()); row++) {
      ExpectedRows.Origin origin = rows.at(row);
      compareToken(verdict, rank, seen, row, origin);
      Routing routing = expected.input(origin.source()).routing();
      for (int lane = 0; lane < routing.topK(); lane++) {
        int id = routing.id(origin.token(), lane);
        boolean here = shape.isOn(rank, id);
        int local = here ? id - shape.firstExpert(rank) : -1;
        verdict.compare(rank, "expert", row, lane, local, seen.localExpert(row, lane));
        float weight = here ? routing.weight(origin.token(), lane) : 0f;
        compareWeight(verdict, rank, row, lane, weight, seen.weight(row, lane));
      }
      compareBytes(verdict, rank, seen, row, origin);
    }
    return verdict;
  }

  /** The canonical sums of all tokens of {@code rank}; token {@code t} at {@code t * stride}. */
  public Verdict canonical(int rank, MemorySegment seen, long stride) {
    return combined(rank, seen, stride, new DenseCombine(shape)::canonical);
  }

  /** The reduced sums of all tokens of {@code rank}; token {@code t} at {@code t * stride}. */
  public Verdict reduced(int rank, MemorySegment seen, long stride) {
    return combined(rank, seen, stride, new DenseCombine(shape)::reduced);
  }

  @FunctionalInterface
  private interface Combine {
    void combine(RankInput input, int token, MemorySegment out, long offset);
  }

  private Verdict combined(int rank, MemorySegment seen, long stride, Combine combine) {
    RankInput input = expected.input(rank);
    Verdict verdict = new Verdict();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment row = arena.allocate(shape.combineRowBytes(), 64);
      for (int token = 0; token < input.routing().tokens(); token++) {
        combine.combine(input, token, row, 0);
        long from = token * stride;
        if (same(row, 0, seen, from, shape.combineRowBytes())) {
          verdict.right(shape.hidden());
          continue;
        }
        for (int i = 0; i < shape.hidden(); i++) {
          long at = i * shape.combineDtype().bytes();
          long want = Scalars.bits(shape.combineDtype(), row, at);
          long have = Scalars.bits(shape.combineDtype(), seen, from + at);
          verdict.compare(rank, "combined", token, i, want, have);
        }
      }
    }
    return verdict;
  }

  private static void compareToken(
      Verdict verdict, int rank, SeenRows seen, long row, ExpectedRows.Origin origin) {
    verdict.compare(rank, "source", row, 0, origin.source(), seen.source(row));
    verdict.compare(rank, "token", row, 0, origin.token(), seen.token(row));
  }

  private static void compareWeight(
      Verdict verdict, int rank, long row, int lane, float expected, float seen) {
    int want = Float.floatToRawIntBits(expected);
    verdict.compare(rank, "weight", row, lane, want, Float.floatToRawIntBits(seen));
  }

  /** Payload and scales; of padding, where {@code origin} is null, zeros. */
  private void compareBytes(
      Verdict verdict, int rank, SeenRows seen, long row, ExpectedRows.Origin origin) {
    boolean padding = origin == null;
    MemorySegment payload = padding ? null : expected.payload(origin);
    long from = seen.payloadAt(row);
    if (!padding && same(payload, 0, seen.payload(), from, shape.rowBytes())) {
      verdict.right(shape.hidden());
    } else {
      for (int i = 0; i < shape.hidden(); i++) {
        long at = i * shape.dtype().bytes();
        long want = padding ? 0 : Scalars.bits(shape.dtype(), payload, at);
        long have = Scalars.bits(shape.dtype(), seen.payload(), from + at);
        verdict.compare(rank, padding ? "padding" : "payload", row, i, want, have);
      }
    }
    MemorySegment scales = padding ? null : expected.scales(origin);
    for (int b = 0; b * shape.scales().bytes() < shape.scaleBytes(); b++) {
      long at = b * shape.scales().bytes();
      long want = padding ? 0 : scaleBits(scales, at);
      long have = scaleBits(seen.scales(), seen.scalesAt(row) + at);
      verdict.compare(rank, padding ? "padding scale" : "scale", row, b, want, have);
    }
  }

  private long scaleBits(MemorySegment scales, long at) {
    return Scalars.scaleBits(shape.scales(), scales, at);
  }

  private static boolean same(
      MemorySegment a, long aOffset, MemorySegment b, long bOffset, long bytes) {
    return MemorySegment.mismatch(a, aOffset, aOffset + bytes, b, bOffset, bOffset + bytes) < 0;
  }
}
