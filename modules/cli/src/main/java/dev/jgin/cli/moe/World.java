// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.moe;

import dev.jgin.cli.dump.Dump;
import dev.jgin.cli.report.ProgressBar;
import dev.jgin.moe.EpConfig;
import dev.jgin.moe.oracle.OracleShape;
import dev.jgin.moe.oracle.TokenPayload;
import dev.jgin.moe.oracle.Verdict;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/** What the programs of all ranks share in one run. Any thread may use it. */
final class World implements AutoCloseable {
  final Batches batches;
  final EpConfig config;
  final OracleShape shape;
  final TokenPayload payload;
  final Expectations expectations;
  final Samples samples;
  final boolean verify;
  final boolean virtualTime;
  final Optional<Dump> dump;
  private final ProgressBar bar;
  private final AtomicLong finished = new AtomicLong();
  private final Verdict dispatched = new Verdict();
  private final Verdict combined = new Verdict();

  World(MoeJob job, EpConfig config, boolean virtualTime, Optional<Dump> dump, ProgressBar bar) {
    this.batches = job.batches();
    this.config = config;
    this.shape = job.shape(config);
    this.payload = new TokenPayload(shape, job.seed());
    this.expectations = new Expectations(shape, payload, batches, job.streams());
    this.samples = new Samples(batches.warmup(), batches.iterations());
    this.verify = job.verify();
    this.virtualTime = virtualTime;
    this.dump = dump;
    this.bar = bar;
  }

  /** Gates for the ranks of one stream. */
  Gate gate() {
    return new Gate(batches.ranks(), !virtualTime);
  }

  /** Takes over what one rank found in one iteration. */
  void found(Verdict dispatch, Verdict combine) {
    synchronized (dispatched) {
      dispatched.add(dispatch);
      combined.add(combine);
    }
  }

  /** Notes that one rank is done with one iteration. */
  void finishedOne() {
    long done = finished.incrementAndGet() / batches.ranks();
    bar.update(done, batches.count(), "iterations");
  }

  /** What was found in dispatched values. */
  Verdict dispatched() {
    return dispatched;
  }

  /** What was found in combined values. */
  Verdict combined() {
    return combined;
  }

  @Override
  public void close() {
    expectations.close();
  }
}
