// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.contract;

import dev.jgin.moe.oracle.ExpertFunction;
import dev.jgin.moe.oracle.OracleShape;
import dev.jgin.moe.oracle.SeenRows;
import java.lang.foreign.MemorySegment;

/** Runs the stand-in experts of one rank on what an engine delivered. */
final class Experts {
  private final EpCase test;
  private final OracleShape shape;
  private final ExpertFunction function;
  private final int first;
  private final int count;
  private final int[] ids;
  private final float[] weights;

  Experts(EpCase test, int rank) {
    this.test = test;
    this.shape = test.shape();
    this.function = new ExpertFunction(shape);
    this.first = shape.firstExpert(rank);
    this.count = shape.firstExpert(rank + 1) - first;
    this.ids = new int[test.config().topK()];
    this.weights = new float[test.config().topK()];
  }

  void run(EngineUnderTest engine, int stream) {
    SeenRows seen = engine.received(stream);
    if (!test.expanded()) {
      for (long row = 0; row < seen.rows(); row++) {
        allOf(row, seen, engine.expertOutput(stream), engine.expertOutputAt(stream, row));
      }
      return;
    }
    for (int e = 0; e < count; e++) {
      for (long row = seen.start(e); row < seen.start(e) + seen.count(e); row++) {
        function.apply(
            first + e,
            seen.payload(),
            seen.payloadAt(row),
            scales(seen),
            scalesAt(seen, row),
            engine.expertOutput(stream),
            engine.expertOutputAt(stream, row));
      }
    }
  }

  private void allOf(long row, SeenRows seen, MemorySegment out, long outOffset) {
    int lanes = 0;
    for (int k = 0; k < ids.length; k++) {
      int local = seen.localExpert(row, k);
      if (local >= 0) {
        ids[lanes] = first + local;
        weights[lanes++] = seen.weight(row, k);
      }
    }
    function.applyWeighted(
        ids,
        weights,
        lanes,
        seen.payload(),
        seen.payloadAt(row),
        scales(seen),
        scalesAt(seen, row),
        out,
        outOffset);
  }

  private MemorySegment scales(SeenRows seen) {
    return shape.scaleBytes() == 0 ? MemorySegment.NULL : seen.scales();
  }

  private long scalesAt(SeenRows seen, long row) {
    return shape.scaleBytes() == 0 ? 0 : seen.scalesAt(row);
  }
}
