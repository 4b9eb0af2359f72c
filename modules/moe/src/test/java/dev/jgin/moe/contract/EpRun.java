// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.contract;

import dev.jgin.gin.CommunicatorOptions;
import dev.jgin.gin.LocalWorld;
import dev.jgin.gin.spi.FabricSpec;
import dev.jgin.moe.oracle.Verdict;
import java.util.ArrayList;
import java.util.List;

/** Runs one case: opens the carrier and the engines, drives all ranks, verifies all they got. */
public final class EpRun {
  private EpRun() {}

  /**
   * Runs to the end. Wrong values are in the verdict; what an engine throws comes through.
   *
   * @throws dev.jgin.moe.check.ViolationException if a check of the engine fails
   */
  public static EpOutcome of(EpCase test, EngineFactory factory) {
    CommunicatorOptions options =
        CommunicatorOptions.defaults()
            .withAllowUnsound(test.allowUnsound())
            .withTimeoutNanos(test.config().timeoutNanos());
    FabricSpec spec = FabricSpec.parse(test.fabric(), test.contexts(), test.seed());
    Expectations expectations = new Expectations(test);
    try (LocalWorld world = LocalWorld.open(spec, test.ranks(), options)) {
      List<EngineUnderTest> engines =
          world.onEachRank(communicator -> factory.create(communicator, test.config()));
      try {
        List<RankProgram> programs = new ArrayList<>();
        for (int rank = 0; rank < test.ranks(); rank++) {
          programs.add(new RankProgram(test, expectations, engines.get(rank), rank));
        }
        world.run(programs);
        Verdict verdict = new Verdict();
        programs.forEach(program -> verdict.add(program.verdict()));
        return new EpOutcome(verdict, programs.stream().map(RankProgram::combined).toList());
      } finally {
        engines.forEach(EngineUnderTest::close);
      }
    }
  }
}
