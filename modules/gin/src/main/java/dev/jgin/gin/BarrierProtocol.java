// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gin;

import dev.jgin.gin.spi.Axiom;
import dev.jgin.gin.spi.Axioms;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * How a barrier makes puts of several contexts visible before it lets anyone pass.
 *
 * <p>Contexts are queue pairs, possibly of different NICs, and nothing orders them (A2). The first
 * two protocols ignore that and are kept as positive controls: they reproduce the public race in
 * which the signal overtakes the data. What exhaustive exploration showed of each is in {@code
 * docs/architecture.md} and its sources.
 */
public enum BarrierProtocol {
  /** Signal each peer on context 0 only. Unsound on network carriers with more than one context. */
  SINGLE_CONTEXT,
  /**
   * Wait for all completions, then signal each peer on context 0. Unsound where a completion does
   * not mean visible (A3), which is every network carrier.
   */
  FLUSH_THEN_SINGLE_CONTEXT,
  /**
   * Signal every peer on every context; one monotone cell per (source, context); wait for all.
   * contexts × members atomics.
   */
  FAN_IN_ALL_CONTEXTS,
  /**
   * Signal each peer on just the contexts that carried puts to it since the last barrier, or
   * context 0 if none did: an absolute (epoch, mask) per cell, cells alternating by epoch parity.
   * At most 32 contexts. Cheapest of the sound ones, and a replay inside the epoch is harmless.
   */
  FAN_IN_USED_CONTEXTS,
  /**
   * No order needed at all: every line of every row carries the epoch tag, each member sends each
   * peer one tagged count line per epoch, and the wait ends when every announced row is fresh.
   */
  ORDER_FREE;

  /** Most contexts of {@link #FAN_IN_USED_CONTEXTS}: its mask has 32 bits. */
  public static final int MAX_USED_CONTEXTS = 32;

  /** Bytes of {@link #ORDER_FREE}'s count line, which must become visible whole. */
  public static final long COUNT_LINE_BYTES = 16;

  /**
   * What the protocol needs of the carrier.
   *
   * @param alternatives any one of these sets of axioms suffices; the first is the usual one
   * @param granuleBytes least granule that must become visible whole
   */
  public record Needs(List<Set<Axiom>> alternatives, long granuleBytes) {}

  /** What this protocol needs for {@code fence} over {@code contexts} contexts. */
  public Needs needs(FenceLevel fence, int contexts) {
    boolean puts = fence.fencesPuts();
    return switch (this) {
      case SINGLE_CONTEXT -> new Needs(List.of(oneSignal(puts, contexts)), 8);
      case FLUSH_THEN_SINGLE_CONTEXT ->
          puts
              ? new Needs(
                  List.of(
                      EnumSet.of(Axiom.A6, Axiom.A3_COMPLETION_IS_VISIBLE),
                      oneSignal(true, contexts)),
                  8)
              : new Needs(List.of(oneSignal(false, contexts)), 8);
      case FAN_IN_ALL_CONTEXTS ->
          new Needs(List.of(puts ? EnumSet.of(Axiom.A4, Axiom.A6) : EnumSet.of(Axiom.A6)), 8);
      case FAN_IN_USED_CONTEXTS ->
          new Needs(List.of(puts ? EnumSet.of(Axiom.A4) : EnumSet.noneOf(Axiom.class)), 8);
      case ORDER_FREE -> new Needs(List.of(EnumSet.noneOf(Axiom.class)), COUNT_LINE_BYTES);
    };
  }

  /**
   * Why a communicator would refuse this protocol, as the sentence that {@link
   * UnsoundProtocolException} says; empty if it is sound.
   *
   * @param carrier name of the carrier, for the sentence
   */
  public Optional<String> refusal(FenceLevel fence, int contexts, Axioms axioms, String carrier) {
    return UnsoundProtocolException.explain(this, fence, contexts, axioms, carrier);
  }

  private static Set<Axiom> oneSignal(boolean puts, int contexts) {
    if (!puts) {
      return EnumSet.of(Axiom.A6);
    }
    return contexts == 1
        ? EnumSet.of(Axiom.A4, Axiom.A6)
        : EnumSet.of(Axiom.A2_ACROSS_LANES, Axiom.A4, Axiom.A6);
  }
}
