// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.emulated.fault;

import dev.jgin.fabric.emulated.lane.Seeded;
import dev.jgin.gin.spi.Axiom;
import dev.jgin.gin.spi.Axioms;
import dev.jgin.gin.spi.LaneStatus;
import java.util.ArrayList;
import java.util.List;

/**
 * The faults of one run, for all ranks. Immutable; its text names every fault.
 *
 * @param faults in no particular order
 */
public record FaultPlan(List<Fault> faults) {

  private static final LaneStatus[] FAILURES = {
    LaneStatus.RETRY_EXCEEDED, LaneStatus.REMOTE_ACCESS, LaneStatus.LOCAL_ACCESS
  };

  /** Keeps a copy. */
  public FaultPlan {
    faults = List.copyOf(faults);
  }

  /** A plan of given faults. */
  public static FaultPlan of(Fault... faults) {
    return new FaultPlan(List.of(faults));
  }

  /** Faults that only take time: delayed lanes and paused ranks. The seed determines them. */
  public static FaultPlan delays(long seed, int ranks, int contexts, int count) {
    return draw(seed, ranks, contexts, count, 2);
  }

  /** Faults of every kind. The seed determines them. */
  public static FaultPlan any(long seed, int ranks, int contexts, int count) {
    return draw(seed, ranks, contexts, count, 5);
  }

  private static FaultPlan draw(long seed, int ranks, int contexts, int count, int kinds) {
    Seeded random = new Seeded(seed);
    List<Fault> faults = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int rank = (int) random.below(ranks);
      int context = (int) random.below(contexts);
      int peer = (int) random.below(ranks);
      long ticket = random.below(64);
      long nanos = 1_000 + random.below(1_000_000);
      faults.add(
          switch ((int) random.below(kinds)) {
            case 0 -> new Fault.DelayLane(rank, context, peer, ticket, nanos);
            case 1 -> new Fault.PauseRank(rank, ticket, nanos);
            case 2 ->
                new Fault.FailLane(
                    rank, context, peer, ticket, FAILURES[(int) random.below(FAILURES.length)]);
            case 3 -> new Fault.LoseCompletion(rank, context, peer, ticket);
            default -> new Fault.DuplicateCompletion(rank, context, peer, ticket);
          });
    }
    return new FaultPlan(faults);
  }

  /** What is left of a carrier's axioms under this plan, the same on every rank. */
  Axioms keeps(Axioms axioms) {
    boolean delays =
        faults.stream().anyMatch(f -> f instanceof Fault.DelayLane || f instanceof Fault.PauseRank);
    return delays ? axioms.without(Axiom.A2_ACROSS_LANES) : axioms;
  }

  /** The faults of one rank. */
  public List<Fault> of(int rank) {
    return faults.stream().filter(fault -> fault.rank() == rank).toList();
  }
}
