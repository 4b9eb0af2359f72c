// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gin;

import dev.jgin.gin.spi.Axiom;
import dev.jgin.gin.spi.Axioms;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** A protocol was asked for on a carrier that does not promise what it needs. */
public final class UnsoundProtocolException extends GinException {
  private static final long serialVersionUID = 1L;

  private UnsoundProtocolException(String message) {
    super(message);
  }

  /**
   * Refuses the pairing if it is unsound.
   *
   * @throws UnsoundProtocolException with the sentence that explains it
   */
  static void check(
      BarrierProtocol protocol, FenceLevel fence, int contexts, Axioms axioms, String carrier) {
    explain(protocol, fence, contexts, axioms, carrier)
        .ifPresent(why -> {
          throw new UnsoundProtocolException(why);
        });
  }

  /** The sentence that explains why the pairing is unsound; empty if it is sound. */
  static Optional<String> explain(
      BarrierProtocol protocol, FenceLevel fence, int contexts, Axioms axioms, String carrier) {
    BarrierProtocol.Needs needs = protocol.needs(fence, contexts);
    boolean ordered = needs.alternatives().stream().anyMatch(axioms.promised()::containsAll);
    boolean whole = axioms.granuleBytes() >= needs.granuleBytes();
    if (ordered && whole) {
      return Optional.empty();
    }
    return Optional.of(
        protocol
            + " with fence "
            + fence
            + " over "
            + contexts
            + " contexts needs "
            + (ordered
                ? "granules of at least "
                    + needs.granuleBytes()
                    + " bytes that become visible whole"
                : missing(needs.alternatives().getFirst(), axioms))
            + ", which "
            + carrier
            + " does not promise ("
            + axioms.describe()
            + "): "
            + consequence(protocol)
            + ". Choose "
            + remedy(axioms)
            + ", or allow unsound protocols explicitly to run the experiment.");
  }

  private static String missing(Set<Axiom> needed, Axioms axioms) {
    Set<Axiom> missing = EnumSet.noneOf(Axiom.class);
    missing.addAll(needed);
    missing.removeAll(axioms.promised());
    return missing.stream()
        .map(a -> a.label() + " (" + a.promise() + ")")
        .collect(Collectors.joining(" and "));
  }

  private static String consequence(BarrierProtocol protocol) {
    return switch (protocol) {
      case SINGLE_CONTEXT ->
          "the signal on context 0 can overtake rows that ride other contexts, and the receiver reads"
              + " rows of an earlier epoch";
      case FLUSH_THEN_SINGLE_CONTEXT ->
          "a completion says that the source is reusable, not that the target sees the rows, so the"
              + " signal can still overtake them";
      case FAN_IN_ALL_CONTEXTS, FAN_IN_USED_CONTEXTS ->
          "a signal could be seen before the rows it speaks for, or be counted wrongly";
      case ORDER_FREE -> "a tagged line could be seen in part";
    };
  }

  private static String remedy(Axioms axioms) {
    if (axioms.promises(Axiom.A4)) {
      return axioms.promises(Axiom.A6)
          ? "FAN_IN_ALL_CONTEXTS or FAN_IN_USED_CONTEXTS"
          : "FAN_IN_USED_CONTEXTS";
    }
    return axioms.granuleBytes() >= BarrierProtocol.COUNT_LINE_BYTES
        ? "ORDER_FREE"
        : "another carrier";
  }
}
