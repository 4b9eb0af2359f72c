// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.info;

import dev.jgin.gin.BarrierProtocol;
import dev.jgin.gin.FenceLevel;
import dev.jgin.gin.spi.Axioms;
import dev.jgin.gin.spi.FabricProvider;
import dev.jgin.gin.spi.FabricSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a carrier promises under one specification, and what that means for every protocol.
 *
 * @param specification for example {@code verbs:ro=on}
 * @param axioms empty if only an open carrier could tell
 * @param verdicts none without axioms, else one for each protocol and number of contexts
 */
public record Promise(String specification, Optional<Axioms> axioms, List<Verdict> verdicts) {

  /** One context to each peer, where nothing can be overtaken on another. */
  public static final int ONE = 1;

  /** More than one: what a protocol needs is the same for any such number. */
  public static final int SEVERAL = 4;

  /** The fence that dispatch and combine ask for. */
  public static final FenceLevel FENCE = FenceLevel.PUT;

  /** A protocol, and the sentence that refuses it; empty if it is sound. */
  public record Verdict(BarrierProtocol protocol, int contexts, Optional<String> refusal) {}

  /**
   * Asks a provider.
   *
   * @throws IllegalArgumentException if the specification is malformed or has a wrong option
   */
  static Promise of(FabricProvider provider, String specification) {
    FabricSpec spec = FabricSpec.parse(specification, SEVERAL, 1);
    Optional<Axioms> axioms = provider.axioms(spec);
    List<Verdict> verdicts = new ArrayList<>();
    axioms.ifPresent(promised -> {
      for (BarrierProtocol protocol : BarrierProtocol.values()) {
        verdicts.add(verdict(protocol, ONE, promised, specification));
        verdicts.add(verdict(protocol, SEVERAL, promised, specification));
      }
    });
    return new Promise(specification, axioms, List.copyOf(verdicts));
  }

  private static Verdict verdict(
      BarrierProtocol protocol, int contexts, Axioms axioms, String carrier) {
    return new Verdict(protocol, contexts, protocol.refusal(FENCE, contexts, axioms, carrier));
  }
}
