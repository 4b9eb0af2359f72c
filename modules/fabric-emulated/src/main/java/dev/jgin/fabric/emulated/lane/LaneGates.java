// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.emulated.lane;

/** Whether the two ends of one direction of a lane are open, and to the same generation. */
final class LaneGates {

  private boolean senderOpen = true;
  private boolean receiverOpen = true;
  private boolean acksLost;
  private long senderGeneration = 1;
  private long receiverGeneration = 1;

  boolean senderOpen() {
    return senderOpen;
  }

  boolean receiverOpen() {
    return receiverOpen;
  }

  /** Whether what was accepted and not acknowledged never will be. */
  boolean acksLost() {
    return acksLost;
  }

  boolean pass() {
    return senderOpen && receiverOpen && senderGeneration == receiverGeneration;
  }

  /** Whether the sender talks to an end that closed, rather than to one not connected yet. */
  boolean isRefused() {
    return senderOpen && !receiverOpen && senderGeneration == receiverGeneration;
  }

  void closeSender() {
    senderOpen = false;
  }

  void closeReceiver(boolean losesAcks) {
    receiverOpen = false;
    acksLost = losesAcks;
  }

  void openSender() {
    acksLost = false;
    senderOpen = true;
    senderGeneration++;
  }

  void openReceiver() {
    receiverOpen = true;
    receiverGeneration++;
  }

  @Override
  public String toString() {
    return "sender "
        + (senderOpen ? "open" : "closed")
        + " in generation "
        + senderGeneration
        + ", receiver "
        + (receiverOpen ? "open" : "closed")
        + " in generation "
        + receiverGeneration;
  }
}
