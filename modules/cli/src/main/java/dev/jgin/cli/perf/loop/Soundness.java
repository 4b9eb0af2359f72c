// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.perf.loop;

import dev.jgin.gin.spi.Axiom;
import dev.jgin.gin.spi.Axioms;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Why a test would measure or compare the wrong thing on a carrier that promises too little. */
public final class Soundness {
  private Soundness() {}

  /**
   * Why {@code put_lat} of {@code bytes} is refused on {@code carrier}; empty if it is not. See
   * {@link PutPingPong}.
   */
  public static Optional<String> ofPutLatency(long bytes, Axioms axioms, String carrier) {
    if (bytes <= axioms.granuleBytes() || axioms.promises(Axiom.A1W)) {
      return Optional.empty();
    }
    String shorter =
        axioms.granuleBytes() == 0 ? "" : "a size up to " + axioms.granuleBytes() + " bytes, ";
    return Optional.of(
        "put_lat of "
            + bytes
            + " bytes takes the last byte for a sign that all are here, which needs A1w ("
            + Axiom.A1W.promise()
            + ") or a message no longer than the granule; "
            + carrier
            + " does not promise it ("
            + axioms.describe()
            + "): bytes before the last may still be under way, and those of the round before land"
            + " behind them. Choose "
            + shorter
            + "signal_lat, or another carrier.");
  }

  /**
   * Why a test that waits for counted signals is refused on {@code carrier}; empty if it is not.
   */
  public static Optional<String> ofSignals(String test, Axioms axioms, String carrier) {
    return missing(
        EnumSet.of(Axiom.A6), axioms, test + " counts adds", carrier, "be counted twice or never");
  }

  /** Why {@code put_bw} is refused on {@code carrier}; empty if it is not. */
  public static Optional<String> ofPutBandwidth(Axioms axioms, String carrier) {
    return missing(
        EnumSet.of(Axiom.A4, Axiom.A6),
        axioms,
        "put_bw ends with a signal that speaks for all puts before it",
        carrier,
        "be seen before them, and the comparison find what is still under way");
  }

  private static Optional<String> missing(
      Set<Axiom> needed, Axioms axioms, String what, String carrier, String consequence) {
    Set<Axiom> missing = EnumSet.copyOf(needed);
    missing.removeAll(axioms.promised());
    if (missing.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        what
            + ", which needs "
            + missing.stream()
                .sorted()
                .map(axiom -> axiom.label() + " (" + axiom.promise() + ")")
                .collect(Collectors.joining(" and "))
            + "; "
            + carrier
            + " does not promise it ("
            + axioms.describe()
            + "): a signal could "
            + consequence
            + ". Choose another carrier.");
  }
}
