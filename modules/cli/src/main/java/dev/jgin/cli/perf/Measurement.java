// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.perf;

import dev.jgin.cli.perf.loop.Extent;
import dev.jgin.cli.perf.loop.Stamps;
import dev.jgin.cli.perf.report.Bandwidth;
import dev.jgin.cli.perf.report.PerfRow;
import dev.jgin.cli.perf.report.Times;
import java.util.ArrayList;
import java.util.List;

/** The times of one size or protocol, taken by the ranks, and the row that they make. */
final class Measurement {
  /** Times kept of a run whose number of iterations is not known. */
  static final int KEPT = 1 << 20;

  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  private final PerfJob job;
  private final String label;
  private final long bytes;
  private final List<Stamps> posted = new ArrayList<>();
  private final List<Stamps> completed = new ArrayList<>();

  Measurement(PerfJob job, String label, long bytes) {
    this.job = job;
    this.label = label;
    this.bytes = bytes;
    int kept = byTime() ? KEPT : (int) job.effort().iterations();
    boolean stream = job.test() == PerfTest.PUT_BW;
    for (int rank = 0; rank < job.ranks(); rank++) {
      // Of the others only a barrier's ranks measure.
      boolean measures = rank == 0 || job.test() == PerfTest.BARRIER_LAT;
      posted.add(new Stamps(measures ? kept : 0));
      completed.add(new Stamps(measures && stream ? kept : 0));
    }
  }

  private boolean byTime() {
    return job.effort().seconds() > 0;
  }

  Extent extent() {
    return byTime()
        ? Extent.ofNanos(job.effort().seconds() * NANOS_PER_SECOND)
        : Extent.ofRounds(job.effort().iterations());
  }

  Stamps posted(int rank) {
    return posted.get(rank);
  }

  Stamps completed(int rank) {
    return completed.get(rank);
  }

  /** The row; {@code outstanding} puts were allowed on a context. */
  PerfRow row(long outstanding) {
    long iterations = posted.getFirst().count();
    if (job.test() == PerfTest.PUT_BW) {
      return new PerfRow(label, bytes, iterations, bandwidth(iterations, outstanding));
    }
    Times times = new Times(slowest(), job.test().parts());
    return new PerfRow(label, bytes, iterations, new PerfRow.Lat(times.latency(), times));
  }

  /** The longest interval of any rank that measures, round by round. */
  private long[] slowest() {
    long[] slowest = posted.getFirst().intervals();
    if (job.test() == PerfTest.BARRIER_LAT) {
      for (Stamps stamps : posted) {
        long[] intervals = stamps.intervals();
        for (int i = 0; i < slowest.length; i++) {
          slowest[i] = Math.max(slowest[i], intervals[i]);
        }
      }
    }
    return slowest;
  }

  private PerfRow.Bw bandwidth(long iterations, long outstanding) {
    Stamps begun = posted.getFirst();
    Stamps ended = completed.getFirst();
    Bandwidth figures =
        byTime()
            ? Bandwidth.averageOf(bytes, iterations, ended.last() - begun.first())
            : Bandwidth.of(bytes, begun.kept(), ended.kept());
    return new PerfRow.Bw(figures, outstanding);
  }
}
