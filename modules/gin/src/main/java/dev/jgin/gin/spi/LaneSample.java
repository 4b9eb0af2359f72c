// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gin.spi;

/**
 * Packet numbers of one fenced lane end, as recovery needs them to tell which outstanding
 * operations took effect. All numbers are 24 bits, modulo 2^24 (InfiniBand Architecture
 * Specification, volume 1, section 9.7).
 *
 * @param generation how often this lane was connected; a token of another generation is stale
 * @param nextSendPsn the packet number that the requester would send next
 * @param ackedPsn the first packet number that the requester has not seen acknowledged
 * @param expectedPsn the packet number that the responder expects next: everything before it was
 *     accepted
 * @param messages messages completed by the responder, the cross-check of {@code expectedPsn};
 *     {@link #MESSAGES_UNKNOWN} where the carrier does not tell
 */
public record LaneSample(
    long generation, int nextSendPsn, int ackedPsn, int expectedPsn, int messages) {

  /** Says that the carrier does not count messages: verbs know packet numbers alone. */
  public static final int MESSAGES_UNKNOWN = -1;
}
