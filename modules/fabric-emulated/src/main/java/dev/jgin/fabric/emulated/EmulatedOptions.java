// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.emulated;

import dev.jgin.fabric.emulated.lane.LaneRules;
import dev.jgin.fabric.emulated.lane.Psn;
import dev.jgin.gin.spi.Axiom;
import dev.jgin.gin.spi.Axioms;
import dev.jgin.gin.spi.FabricSpec;
import java.util.EnumSet;

/**
 * What an {@code emulated} specification asks for.
 *
 * @param mode how effects are delivered
 * @param threads delivering threads; 0 means the deterministic scheduler
 * @param rules the switches of every lane
 * @param firstPsn first packet number of every lane's first generation; −1 means seeded
 * @param seed seed of every random choice
 */
public record EmulatedOptions(Mode mode, int threads, LaneRules rules, int firstPsn, long seed) {

  /** How effects are delivered. */
  public enum Mode {
    /** By the thread that rings, at once. */
    PLAIN,
    /** By a lane model with the same steady delays on every lane. */
    ORDERED,
    /** By a lane model with skewed lanes and heavy-tailed delays. */
    ADVERSARIAL
  }

  /** Reads the options of {@code spec}. */
  public static EmulatedOptions parse(FabricSpec spec) {
    return new OptionParser(spec).parse();
  }

  /** What a fabric of these options promises: plain copies keep every order there is. */
  public Axioms axioms() {
    return mode == Mode.PLAIN ? new Axioms(EnumSet.allOf(Axiom.class), granule()) : rules.axioms();
  }

  /** Operations that may be outstanding on a lane. */
  public int depth() {
    return rules.depth();
  }

  /** Binary logarithm of the packet payload. */
  public int mtuShift() {
    return rules.mtuShift();
  }

  /** Bytes of a granule. */
  public int granule() {
    return rules.granule();
  }

  /** The first packet number that {@code rank} sends on a lane in a generation. */
  public int initialPsn(int rank, int context, int peer, long generation) {
    return firstPsn >= 0 && generation == 1
        ? firstPsn
        : Psn.initial(seed, rank, context, peer, generation);
  }
}
