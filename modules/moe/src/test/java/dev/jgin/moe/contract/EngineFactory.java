// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.contract;

import dev.jgin.gin.Communicator;
import dev.jgin.moe.EpConfig;

/** Makes one rank's end of the engine under test. Collective: called by each rank in parallel. */
@FunctionalInterface
public interface EngineFactory {
  /** Makes the engine of {@code communicator.rank()}. */
  EngineUnderTest create(Communicator communicator, EpConfig config);
}
