// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe;

import dev.jgin.gin.BarrierProtocol;
import dev.jgin.moe.check.Check;
import dev.jgin.moe.numeric.DType;
import dev.jgin.moe.numeric.ScaleFormat;
import java.util.EnumSet;
import java.util.Set;

/**
 * Builds an {@link EpConfig}. Defaults: BF16 without scales, 128 tokens per rank, EXPANDED,
 * alignment 1, CANONICAL, FAN_IN_ALL_CONTEXTS, one stream, no audit, a budget of 16 GiB, worst-case
 * expert rows, 30 s, FAIL_FAST, all checks. Not thread-safe.
 */
public final class EpConfigBuilder {
  private final int experts;
  private final int topK;
  private final int hidden;
  private DType dtype = DType.BF16;
  private ScaleFormat scales = ScaleFormat.NONE;
  private DType combineDtype;
  private int maxTokensPerRank = 128;
  private ExpertLayout layout = ExpertLayout.EXPANDED;
  private int expertAlignment = 1;
  private CombineMode combine = CombineMode.CANONICAL;
  private BarrierProtocol barrier = BarrierProtocol.FAN_IN_ALL_CONTEXTS;
  private int streams = 1;
  private boolean audit;
  private long memoryBudgetBytes = 16L << 30;
  private long maxExpertRows;
  private long timeoutNanos = 30_000_000_000L;
  private ViolationPolicy policy = ViolationPolicy.FAIL_FAST;
  private Set<Check> checks = EnumSet.allOf(Check.class);
  private long initialEpoch;

  EpConfigBuilder(int experts, int topK, int hidden) {
    this.experts = experts;
    this.topK = topK;
    this.hidden = hidden;
  }

  /** Type of dispatched elements. */
  public EpConfigBuilder dtype(DType value) {
    dtype = value;
    return this;
  }

  /** Format of the scales of FP8 rows. */
  public EpConfigBuilder scales(ScaleFormat value) {
    scales = value;
    return this;
  }

  /** Type of expert outputs and combined rows. */
  public EpConfigBuilder combineDtype(DType value) {
    combineDtype = value;
    return this;
  }

  /** Most tokens that one rank dispatches at once. */
  public EpConfigBuilder maxTokensPerRank(int value) {
    maxTokensPerRank = value;
    return this;
  }

  /** How received rows are laid out. */
  public EpConfigBuilder layout(ExpertLayout value) {
    layout = value;
    return this;
  }

  /** Alignment of each expert's first row, in rows. */
  public EpConfigBuilder expertAlignment(int value) {
    expertAlignment = value;
    return this;
  }

  /** How outputs are summed. */
  public EpConfigBuilder combine(CombineMode value) {
    combine = value;
    return this;
  }

  /** The barrier behind dispatch and combine. */
  public EpConfigBuilder barrier(BarrierProtocol value) {
    barrier = value;
    return this;
  }

  /** Batches in flight. */
  public EpConfigBuilder streams(int value) {
    streams = value;
    return this;
  }

  /** Whether each row carries a checksum. */
  public EpConfigBuilder audit(boolean value) {
    audit = value;
    return this;
  }

  /** Most off-heap bytes of one rank. */
  public EpConfigBuilder memoryBudgetBytes(long value) {
    memoryBudgetBytes = value;
    return this;
  }

  /** Room for expert rows, padding included; 0 for the worst case. */
  public EpConfigBuilder maxExpertRows(long value) {
    maxExpertRows = value;
    return this;
  }

  /** Deadline of each wait. */
  public EpConfigBuilder timeoutNanos(long value) {
    timeoutNanos = value;
    return this;
  }

  /** What a failed check does. */
  public EpConfigBuilder policy(ViolationPolicy value) {
    policy = value;
    return this;
  }

  /** Switches {@code check} off: only for the test that proves it is guarded. */
  public EpConfigBuilder without(Check check) {
    Set<Check> rest = EnumSet.noneOf(Check.class);
    rest.addAll(checks);
    rest.remove(check);
    checks = rest;
    return this;
  }

  /** The epoch before the first: only for tests near a wrap. */
  public EpConfigBuilder initialEpoch(long value) {
    initialEpoch = value;
    return this;
  }

  /**
   * The configuration.
   *
   * @throws IllegalArgumentException naming the value, the limit and the remedy
   */
  public EpConfig build() {
    DType returned = combineDtype;
    if (returned == null) {
      returned = dtype == DType.FP8_E4M3 ? DType.BF16 : dtype;
    }
    return new EpConfig(
        experts,
        topK,
        hidden,
        dtype,
        scales,
        returned,
        maxTokensPerRank,
        layout,
        expertAlignment,
        combine,
        barrier,
        streams,
        audit,
        memoryBudgetBytes,
        maxExpertRows,
        timeoutNanos,
        policy,
        checks,
        initialEpoch);
  }
}
