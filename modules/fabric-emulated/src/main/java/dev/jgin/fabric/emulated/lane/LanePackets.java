// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.emulated.lane;

/** The packet numbers of both ends of one direction of a lane. Not thread-safe. */
public final class LanePackets {

  private int next;
  private int acked;
  private int expected;
  private int messages;

  LanePackets(int initialPsn) {
    openSender(initialPsn);
    openReceiver(initialPsn);
  }

  /** The packet number that the requester sends next. */
  public int next() {
    return next;
  }

  /** The first packet number that the requester has not seen acknowledged. */
  public int acked() {
    return acked;
  }

  /** The packet number that the responder expects next. */
  public int expected() {
    return expected;
  }

  /** Messages that the responder completed in this generation, modulo 2^24. */
  public int messages() {
    return messages;
  }

  /** A message of {@code packets} was sent and {@code accepted} of them accepted. */
  void send(long packets, long accepted) {
    next = Psn.add(next, packets);
    expected = Psn.add(expected, accepted);
    if (accepted == packets) {
      messages = Psn.add(messages, 1);
    }
  }

  void acknowledge(long packets) {
    acked = Psn.add(acked, packets);
  }

  void openSender(int initialPsn) {
    next = initialPsn;
    acked = initialPsn;
  }

  void openReceiver(int initialPsn) {
    expected = initialPsn;
    messages = 0;
  }
}
