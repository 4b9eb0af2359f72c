// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gin.spi;

import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What a carrier promises: a set of {@link Axiom}s and the granule.
 *
 * @param promised the axioms that hold
 * @param granuleBytes bytes of a naturally aligned granule that becomes visible whole: a reader
 *     that acquires the last 8-byte word of such a granule and sees a new value there sees the rest
 *     of the granule at least as new. 0 when nothing is promised, otherwise a power of two of at
 *     least 8.
 */
public record Axioms(Set<Axiom> promised, long granuleBytes) {

  public Axioms {
    promised = Set.copyOf(promised);
    if (granuleBytes != 0 && (granuleBytes < 8 || Long.bitCount(granuleBytes) != 1)) {
      throw new IllegalArgumentException(
          "granule of "
              + granuleBytes
              + " bytes: it must be 0 (nothing promised) or a power of two of at least 8");
    }
  }

  /** The promises of a reliable-connected queue pair with strictly ordered memory regions. */
  public static Axioms reliableConnected(long granuleBytes) {
    return new Axioms(EnumSet.of(Axiom.A1W, Axiom.A1S, Axiom.A4, Axiom.A6), granuleBytes);
  }

  /** Whether {@code axiom} holds. */
  public boolean promises(Axiom axiom) {
    return promised.contains(axiom);
  }

  /** The same promises without {@code axiom}. */
  public Axioms without(Axiom axiom) {
    Set<Axiom> rest = EnumSet.noneOf(Axiom.class);
    rest.addAll(promised);
    rest.remove(axiom);
    return new Axioms(rest, granuleBytes);
  }

  /** One line for start-up banners: {@code A1w A1s A4 A6, granule 64 B}. */
  public String describe() {
    String names =
        promised.isEmpty()
            ? "no ordering axiom"
            : promised.stream().sorted().map(Axiom::label).collect(Collectors.joining(" "));
    return names + (granuleBytes == 0 ? ", no granule" : ", granule " + granuleBytes + " B");
  }
}
