// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe;

import dev.jgin.moe.plan.ReceivePlan;
import dev.jgin.moe.plan.SendPlan;
import dev.jgin.moe.routing.Routing;

/**
 * The plan of a routing, kept for use again: what this rank sends, and what the others told it to
 * expect.
 *
 * <p>The first dispatch with a plan exchanges all counts. Later ones, on any stream of the engine,
 * neither plan nor send counts: each count block is its head alone, whose hash must match the
 * counts kept from the first. <em>Every rank must use its plan again in the same dispatch</em>; a
 * rank that does not is reported as a violation of {@link dev.jgin.moe.check.Check#COUNT_BLOCK}.
 *
 * <p>Made by {@link EpEngine#newPlan}. One thread at a time. Planning allocates nothing.
 */
public final class EpPlan {
  final Geometry geometry;
  final SendPlan send;
  final ReceivePlan receive;
  final int[] sourceTokens;
  final long[] sourceHash;
  boolean inFirstDispatch;
  boolean cached;
  long generation;

  EpPlan(Geometry geometry) {
    this.geometry = geometry;
    this.send = new SendPlan(geometry.placement, geometry.tokens, geometry.topK);
    this.receive =
        new ReceivePlan(geometry.ranks, geometry.localExperts, geometry.config.expertAlignment());
    this.sourceTokens = new int[geometry.ranks];
    this.sourceHash = new long[geometry.ranks];
  }

  /**
   * Plans {@code routing} and forgets the one before.
   *
   * @throws IllegalArgumentException if it does not fit the configuration
   * @throws IllegalStateException if the plan's first dispatch is still under way
   */
  public void plan(Routing routing) {
    requireNotInFirstDispatch();
    generation++;
    cached = false;
    send.plan(routing);
  }

  /** Whether the next dispatch finds the counts already exchanged. */
  public boolean cached() {
    return cached;
  }

  /** What this rank sends. */
  public SendPlan send() {
    return send;
  }

  void requireNotInFirstDispatch() {
    if (inFirstDispatch) {
      throw new IllegalStateException(
          "the plan is in its first dispatch, which is still exchanging counts: finish that first,"
              + " or use another plan");
    }
  }
}
