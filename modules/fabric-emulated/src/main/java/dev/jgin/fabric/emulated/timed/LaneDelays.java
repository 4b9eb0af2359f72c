// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.emulated.timed;

import dev.jgin.fabric.emulated.lane.Seeded;

/**
 * How long things take on one lane, in nanoseconds. Adversarial lanes drift apart: each has a skew
 * of its own that it redraws now and then from a heavy tail, so that a signal on one context often
 * overtakes data on another by far. Ordered lanes all take the same time.
 */
final class LaneDelays {

  private static final long VISIBLE = 1_000;
  private static final long COMPLETE = 600;
  private static final long RETRY = 20_000;
  private static final long STALL = 60_000;

  private final boolean adversarial;
  private final Seeded random;
  private long skew = 1;

  LaneDelays(boolean adversarial, long seed) {
    this.adversarial = adversarial;
    this.random = new Seeded(seed);
    if (adversarial) {
      drawSkew();
    }
  }

  /**
   * Between two transmissions: about 25 GB/s. Adversarial lanes stall now and then: a source is
   * read at transmission, so whoever overwrites it before its completion is seen to have done so.
   */
  long gap(long bytes) {
    long steady = 20 + bytes / 25;
    if (!adversarial) {
      return steady;
    }
    return steady + random.below(random.oneIn(32) ? STALL : 40);
  }

  /** From acceptance to visibility. */
  long visible() {
    if (!adversarial) {
      return VISIBLE;
    }
    if (random.oneIn(24)) {
      drawSkew();
    }
    long base = (400 + random.below(800)) * skew;
    return random.oneIn(16) ? base * (1 + random.below(32)) : base;
  }

  /** From acceptance to completion: mostly before visibility. */
  long complete() {
    if (!adversarial) {
      return COMPLETE;
    }
    long base = 150 + random.below(600);
    return random.oneIn(8) ? base * (1 + random.below(16)) : base;
  }

  /** Until the requester gives up a peer that does not answer. */
  long retry() {
    return RETRY;
  }

  /** How often an atomic takes effect when nothing promises once. */
  int timesWithoutA6() {
    long draw = random.below(16);
    return draw == 0 ? 0 : draw == 1 ? 2 : 1;
  }

  /** Whether acknowledgements under way are lost when the responder's end closes. */
  boolean losesAcks() {
    return adversarial && random.oneIn(2);
  }

  /** How many packets of a message under way the responder still accepts when it closes. */
  long partPackets() {
    return adversarial ? random.below(4) : 0;
  }

  private void drawSkew() {
    long draw = random.below(16);
    if (draw < 8) {
      skew = 1;
    } else if (draw < 12) {
      skew = 1 + random.below(4);
    } else if (draw < 15) {
      skew = 4 + random.below(12);
    } else {
      skew = 16 + random.below(64);
    }
  }
}
