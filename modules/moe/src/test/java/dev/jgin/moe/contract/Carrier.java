// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.contract;

import dev.jgin.gin.BarrierProtocol;
import java.util.ArrayList;
import java.util.List;

/**
 * A carrier and a protocol that is right on it, although it may be one that a start-up check
 * refuses.
 *
 * @param fabric carrier and options
 * @param allowUnsound whether the start-up check would refuse the pair
 */
public record Carrier(String fabric, BarrierProtocol protocol, boolean allowUnsound) {
  /** The emulation with every promise of RC verbs and not one more, driven by one thread. */
  public static final String ADVERSARIAL = "emulated:adversarial";

  /** The same without order between writes of a lane. */
  public static final String WITHOUT_WRITE_ORDER = "emulated:adversarial,a1w=off";

  /** The same without order between a lane's writes and its signals. */
  public static final String WITHOUT_SIGNAL_ORDER = "emulated:adversarial,a4=off";

  /** The same with threads that deliver whenever they like. */
  public static final String ADVERSARIAL_THREADS = "emulated:adversarial,threads";

  /** The embedded default. */
  public static final String PLAIN = "emulated";

  private static final List<BarrierProtocol> SOUND =
      List.of(
          BarrierProtocol.FAN_IN_ALL_CONTEXTS,
          BarrierProtocol.FAN_IN_USED_CONTEXTS,
          BarrierProtocol.ORDER_FREE);

  /** Every pair that the suite covers. */
  public static List<Carrier> all() {
    List<Carrier> all = new ArrayList<>(sound());
    // Nothing overtakes anything in plain mode, so even the controls deliver what they should.
    all.add(new Carrier(PLAIN, BarrierProtocol.SINGLE_CONTEXT, true));
    all.add(new Carrier(PLAIN, BarrierProtocol.FLUSH_THEN_SINGLE_CONTEXT, true));
    return all;
  }

  /** Every pair that is sound by its axioms. */
  public static List<Carrier> sound() {
    List<Carrier> sound = new ArrayList<>();
    for (String fabric : List.of(PLAIN, ADVERSARIAL, WITHOUT_WRITE_ORDER, ADVERSARIAL_THREADS)) {
      for (BarrierProtocol protocol : SOUND) {
        // Plain mode copies rows in pieces of any size, so order-free lines may be seen in part.
        if (!fabric.equals(PLAIN) || protocol != BarrierProtocol.ORDER_FREE) {
          sound.add(new Carrier(fabric, protocol, false));
        }
      }
    }
    sound.add(new Carrier(WITHOUT_SIGNAL_ORDER, BarrierProtocol.ORDER_FREE, false));
    return sound;
  }

  @Override
  public String toString() {
    return protocol + " on " + fabric;
  }

  /** The sound protocols on the deterministic adversarial carrier. */
  public static List<Carrier> adversarial() {
    return sound().stream().filter(c -> c.fabric.equals(ADVERSARIAL)).toList();
  }
}
