// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.contract;

import dev.jgin.moe.CombineMode;
import dev.jgin.moe.EpConfig;
import dev.jgin.moe.ExpertLayout;
import dev.jgin.moe.oracle.OracleShape;

/**
 * One run: a carrier, an engine configuration, and the batches to send through them.
 *
 * @param fabric carrier and options, for example {@code emulated:adversarial}
 * @param seed seed of the carrier
 * @param epochs dispatches of each stream, back to back
 * @param combines combines behind each dispatch. With one, its barrier also separates the
 *     dispatches around it; without any, nothing but the dispatch's own barrier and buffers does
 */
public record EpCase(
    String fabric,
    long seed,
    int ranks,
    int contexts,
    boolean allowUnsound,
    EpConfig config,
    int epochs,
    int combines,
    Batches batches) {

  /** The oracle's view of a configuration. */
  public static OracleShape shape(EpConfig config, int ranks) {
    return new OracleShape(
        ranks,
        config.experts(),
        config.hidden(),
        config.dtype(),
        config.scales(),
        config.combineDtype(),
        config.expertAlignment());
  }

  /** The oracle's view of this case. */
  public OracleShape shape() {
    return shape(config, ranks);
  }

  /** The same on another carrier. */
  public EpCase on(String otherFabric, long otherSeed) {
    return new EpCase(
        otherFabric, otherSeed, ranks, contexts, allowUnsound, config, epochs, combines, batches);
  }

  /** The same with other batches. */
  public EpCase with(Batches otherBatches) {
    return new EpCase(
        fabric, seed, ranks, contexts, allowUnsound, config, epochs, combines, otherBatches);
  }

  boolean expanded() {
    return config.layout() == ExpertLayout.EXPANDED;
  }

  boolean canonical() {
    return config.combine() == CombineMode.CANONICAL;
  }

  @Override
  public String toString() {
    return fabric
        + " seed "
        + seed
        + ", "
        + ranks
        + " ranks x "
        + contexts
        + " contexts, "
        + config.barrier()
        + ", "
        + config.dtype()
        + "/"
        + config.scales()
        + "/"
        + config.combineDtype()
        + ", "
        + config.layout()
        + "/"
        + config.combine()
        + ", align "
        + config.expertAlignment()
        + (config.audit() ? ", audit" : "")
        + ", "
        + config.streams()
        + " streams, "
        + config.experts()
        + " experts top-"
        + config.topK()
        + ", "
        + epochs
        + " epochs of "
        + (batches instanceof GeneratedBatches g ? g.kind() : "given")
        + " tokens, "
        + combines
        + " combines each";
  }
}
