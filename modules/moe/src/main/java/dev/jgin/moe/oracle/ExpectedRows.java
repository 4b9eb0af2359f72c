// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.oracle;

import dev.jgin.moe.routing.Routing;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The rows that one rank must hold after a dispatch, each named by where it came from. Immutable.
 *
 * <p>Found without counting or sorting anything: the loops walk the output in its stated order and
 * look at every lane of every token of every rank each time.
 */
public final class ExpectedRows {
  /** A row of the output. {@code lane} is -1 where a row stands for all lanes of its token. */
  public record Origin(int source, int token, int lane, float weight) {}

  /** A padding row is null. */
  private final List<Origin> rows;

  private final long[] starts;
  private final long[] counts;

  private ExpectedRows(List<Origin> rows, long[] starts, long[] counts) {
    this.rows = rows;
    this.starts = starts;
    this.counts = counts;
  }

  /**
   * One row per token and local expert. Experts in ascending order, the first row of each at a
   * multiple of the alignment; rows of an expert by source rank, then token.
   */
  static ExpectedRows expertMajor(OracleShape shape, List<RankInput> inputs, int rank) {
    int first = shape.firstExpert(rank);
    int experts = shape.firstExpert(rank + 1) - first;
    List<Origin> rows = new ArrayList<>();
    long[] starts = new long[experts + 1];
    long[] counts = new long[experts];
    for (int e = 0; e < experts; e++) {
      starts[e] = rows.size();
      for (int source = 0; source < shape.ranks(); source++) {
        Routing routing = inputs.get(source).routing();
        for (int token = 0; token < routing.tokens(); token++) {
          for (int lane = 0; lane < routing.topK(); lane++) {
            if (routing.id(token, lane) == first + e) {
              rows.add(new Origin(source, token, lane, routing.weight(token, lane)));
              counts[e]++;
            }
          }
        }
      }
      while (rows.size() % shape.alignment() != 0) {
        rows.add(null);
      }
    }
    starts[experts] = rows.size();
    return new ExpectedRows(rows, starts, counts);
  }

  /** One row per token that names any local expert, by source rank, then token. No padding. */
  static ExpectedRows perToken(OracleShape shape, List<RankInput> inputs, int rank) {
    List<Origin> rows = new ArrayList<>();
    for (int source = 0; source < shape.ranks(); source++) {
      Routing routing = inputs.get(source).routing();
      for (int token = 0; token < routing.tokens(); token++) {
        boolean here = false;
        for (int lane = 0; lane < routing.topK(); lane++) {
          here |= shape.isOn(rank, routing.id(token, lane));
        }
        if (here) {
          rows.add(new Origin(source, token, -1, 0f));
        }
      }
    }
    return new ExpectedRows(rows, new long[] {0, rows.size()}, new long[] {rows.size()});
  }

  /** Rows in all, padding included. */
  public long size() {
    return rows.size();
  }

  /** Whether the row is padding: all its bytes are zero. */
  public boolean isPadding(long row) {
    return at(row) == null;
  }

  /** Where a row came from; null for padding. */
  public Origin at(long row) {
    return rows.get(Math.toIntExact(row));
  }

  /**
   * The first row of each local expert, and behind the last one the number of rows. One row per
   * token: all rows as one block.
   */
  public long[] starts() {
    return Arrays.copyOf(starts, starts.length);
  }

  /** Rows of each local expert without padding. */
  public long[] counts() {
    return Arrays.copyOf(counts, counts.length);
  }
}
