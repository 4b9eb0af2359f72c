// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.moe;

import dev.jgin.moe.DispatchResult;
import dev.jgin.moe.EpConfig;
import dev.jgin.moe.EpStream;
import dev.jgin.moe.ExpertLayout;
import dev.jgin.moe.oracle.ExpertFunction;
import dev.jgin.moe.oracle.OracleShape;

/** Runs the oracle's stand-in experts on what one rank received. One thread at a time. */
final class StandInExperts {
  private static final int NOBODY = -1;

  private final ExpertFunction function;
  private final boolean expanded;
  private final int[] experts;
  private final float[] weights;

  StandInExperts(OracleShape shape, EpConfig config) {
    this.function = new ExpertFunction(shape);
    this.expanded = config.layout() == ExpertLayout.EXPANDED;
    this.experts = new int[config.topK()];
    this.weights = new float[config.topK()];
  }

  /** Writes the output of every row that came from somebody. */
  void run(EpStream stream) {
    DispatchResult result = stream.dispatched();
    if (!expanded) {
      for (long row = 0; row < result.rows(); row++) {
        if (result.sourceRank(row) != NOBODY) {
          applyAll(stream, result, row);
        }
      }
      return;
    }
    for (int e = 0; e < result.localExperts(); e++) {
      long end = result.expertStart(e) + result.expertRows(e);
      for (long row = result.expertStart(e); row < end; row++) {
        if (result.sourceRank(row) != NOBODY) {
          function.apply(
              result.firstExpert() + e,
              result.payload(),
              result.payloadOffset(row),
              result.scales(),
              result.scalesOffset(row),
              stream.expertOutput(),
              stream.expertOutputOffset(row));
        }
      }
    }
  }

  private void applyAll(EpStream stream, DispatchResult result, long row) {
    int lanes = 0;
    for (int lane = 0; lane < experts.length; lane++) {
      int local = result.localExpert(row, lane);
      if (local >= 0) {
        experts[lanes] = result.firstExpert() + local;
        weights[lanes++] = result.weight(row, lane);
      }
    }
    function.applyWeighted(
        experts,
        weights,
        lanes,
        result.payload(),
        result.payloadOffset(row),
        result.scales(),
        result.scalesOffset(row),
        stream.expertOutput(),
        stream.expertOutputOffset(row));
  }
}
