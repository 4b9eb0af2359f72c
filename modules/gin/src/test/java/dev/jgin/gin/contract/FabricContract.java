// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gin.contract;

import org.junit.jupiter.api.Nested;

/**
 * Everything that a {@link dev.jgin.gin.spi.Fabric} must do, whatever carries it. Subclass it in
 * the carrier's room, once per mode:
 *
 * {@snippet :
 * class PlainFabricContractTest extends FabricContract {
 *   protected String fabric() {
 *     return "emulated";
 *   }
 * }
 * }
 *
 * <p>Random choices replay with the system property {@code jgin.seed}.
 */
public abstract class FabricContract {

  /** The specification under test, for example {@code emulated:adversarial}. */
  protected abstract String fabric();

  /** Registration, posting, ringing, polling. */
  @Nested
  class Posting extends PostingContract {
    @Override
    String spec() {
      return fabric();
    }
  }

  /** The declared axioms. */
  @Nested
  class Order extends OrderContract {
    @Override
    String spec() {
      return fabric();
    }
  }

  /** Fence, drain, sample, reconnect. */
  @Nested
  class Recovery extends LaneControlContract {
    @Override
    String spec() {
      return fabric();
    }
  }
}
