// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.gpu;

import dev.jgin.gpu.GpuContext;
import dev.jgin.moe.EpConfig;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;

/** What the engines of one world share: who has sent what, who is closing, whose GPU is whose. */
final class EngineGroup {
  final SendLedger ledger;
  final LaunchGuard guard = new LaunchGuard();
  private final AtomicIntegerArray closed;

  EngineGroup(int ranks, EpConfig config) {
    this.ledger = new SendLedger(ranks, config.streams(), config.initialEpoch());
    this.closed = new AtomicIntegerArray(ranks);
  }

  /** What a rank brings to the first meeting. */
  record Member(EngineGroup group, EpConfig config, GpuEpOptions options, GpuContext context) {}

  /**
   * Whether kernels that wait go behind those that they wait for: unless each rank has a GPU of its
   * own and one batch in flight. With more batches, kernels of one that wait could keep those out
   * that another GPU waits for.
   */
  static boolean gated(List<Member> members) {
    long gpus = members.stream().map(m -> m.context().device().ordinal()).distinct().count();
    return gpus < members.size() || members.getFirst().config().streams() > 1;
  }

  /**
   * Returns if all were made alike.
   *
   * @throws IllegalArgumentException naming a rank that differs
   */
  static void requireAlike(List<Member> members) {
    Member first = members.getFirst();
    for (int r = 1; r < members.size(); r++) {
      Member other = members.get(r);
      if (!other.config().equals(first.config())) {
        throw new IllegalArgumentException(
            "rank " + r + " has " + other.config() + ", rank 0 has " + first.config());
      }
      if (!other.options().inputDtype().equals(first.options().inputDtype())
          || other.options().backend() != first.options().backend()) {
        throw new IllegalArgumentException(
            "rank " + r + " has " + other.options() + ", rank 0 has " + first.options());
      }
    }
  }

  /** No rank sends any more; returns when nothing writes to this rank's windows. */
  void leave(int rank, List<Member> members) {
    guard.close("rank " + rank + " has closed its engine");
    for (int r = 0; r < members.size(); r++) {
      if (closed.get(r) == 0) {
        members.get(r).context().synchronize();
      }
    }
    closed.set(rank, 1);
  }
}
