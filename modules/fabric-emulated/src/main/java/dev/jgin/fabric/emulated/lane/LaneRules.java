// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.emulated.lane;

import dev.jgin.gin.spi.Axiom;
import dev.jgin.gin.spi.Axioms;
import java.util.EnumSet;
import java.util.Set;

/**
 * The switches of a {@link LaneModel}: what it keeps to and how finely it splits a write.
 *
 * @param a1w writes of the lane become visible in posting order, granules of one write ascending
 * @param a1s signals of the lane become visible in posting order
 * @param a4 a signal becomes visible only after every earlier write of the lane
 * @param a6 an atomic takes effect exactly once; off: none, one or two times
 * @param granule bytes of an aligned granule, a power of two in 8..4096
 * @param mtu payload bytes of a packet, a power of two
 * @param depth operations posted and not yet reaped, at most
 * @param maxPieces parts in which one write becomes visible, at most, in 1..{@value #MOST_PIECES};
 *     a write of no more granules than that is split at every granule, a longer one at seeded
 *     granule boundaries
 */
public record LaneRules(
    boolean a1w,
    boolean a1s,
    boolean a4,
    boolean a6,
    int granule,
    int mtu,
    int depth,
    int maxPieces) {

  /** Most pieces of one write. */
  public static final int MOST_PIECES = 63;

  /** Checks the limits. */
  public LaneRules {
    powerOfTwo("granule", granule, 8, 4096);
    powerOfTwo("mtu", mtu, 256, 1 << 20);
    if (depth < 1 || depth > 1 << 20) {
      throw new IllegalArgumentException("depth = " + depth + ": it must be in 1.." + (1 << 20));
    }
    if (maxPieces < 1 || maxPieces > MOST_PIECES) {
      throw new IllegalArgumentException(
          "maxPieces = " + maxPieces + ": it must be in 1.." + MOST_PIECES);
    }
  }

  private static void powerOfTwo(String what, int value, int least, int most) {
    if (value < least || value > most || Integer.bitCount(value) != 1) {
      throw new IllegalArgumentException(
          what + " = " + value + ": it must be a power of two in " + least + ".." + most);
    }
  }

  /** Binary logarithm of the packet payload. */
  public int mtuShift() {
    return Integer.numberOfTrailingZeros(mtu);
  }

  /** The promises that a carrier of such lanes may declare; never anything between lanes. */
  public Axioms axioms() {
    Set<Axiom> kept = EnumSet.noneOf(Axiom.class);
    keep(kept, a1w, Axiom.A1W);
    keep(kept, a1s, Axiom.A1S);
    keep(kept, a4, Axiom.A4);
    keep(kept, a6, Axiom.A6);
    return new Axioms(kept, granule);
  }

  private static void keep(Set<Axiom> kept, boolean holds, Axiom axiom) {
    if (holds) {
      kept.add(axiom);
    }
  }
}
