// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.check;

import dev.jgin.gin.BarrierProtocol;
import dev.jgin.moe.EpConfigBuilder;
import dev.jgin.moe.HostEngine;
import dev.jgin.moe.ViolationPolicy;
import dev.jgin.moe.contract.BatchKind;
import dev.jgin.moe.contract.Carrier;
import dev.jgin.moe.contract.CaseBuilder;
import dev.jgin.moe.contract.EpCase;
import dev.jgin.moe.contract.EpOutcome;
import dev.jgin.moe.contract.EpRun;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;

/**
 * The setting of the public race: 8 ranks, 2 tokens each, 200 epochs back to back on one buffer.
 */
final class OrderingControl {
  /** How a run ended. */
  enum End {
    /** Nothing was wrong, by the checks and by the oracle. */
    CLEAN,
    /** A check found what was wrong. */
    CAUGHT,
    /** The oracle found something wrong that no check had seen. */
    SILENT
  }

  private OrderingControl() {}

  static EpCase run(String fabric, BarrierProtocol protocol, long seed) {
    return run(fabric, protocol, seed, UnaryOperator.identity());
  }

  private static EpCase run(
      String fabric, BarrierProtocol protocol, long seed, UnaryOperator<EpConfigBuilder> engine) {
    return CaseBuilder.on(new Carrier(fabric, protocol, true))
        .seed(seed)
        .world(8, 4)
        .experts(64, 8)
        .hidden(64)
        .tokens(BatchKind.UNIFORM, 2)
        .epochs(200, 1)
        .engine(engine)
        .build();
  }

  static End of(String fabric, BarrierProtocol protocol, long seed) {
    try {
      EpOutcome outcome = EpRun.of(run(fabric, protocol, seed), HostEngine::new);
      return outcome.verdict().wrong() == 0 ? End.CLEAN : End.SILENT;
    } catch (ViolationException e) {
      return End.CAUGHT;
    }
  }

  /** Runs on after violations; how often each symptom was found. */
  static Map<Symptom, Long> symptoms(BarrierProtocol protocol, long seed, boolean audit) {
    EpCase test =
        run(
            Carrier.ADVERSARIAL,
            protocol,
            seed,
            config -> config.policy(ViolationPolicy.COLLECT).audit(audit));
    List<HostEngine> engines = new CopyOnWriteArrayList<>();
    EpRun.of(
        test,
        (communicator, config) -> {
          HostEngine engine = new HostEngine(communicator, config);
          engines.add(engine);
          return engine;
        });
    Map<Symptom, Long> symptoms = new EnumMap<>(Symptom.class);
    for (HostEngine engine : engines) {
      for (Violation violation : engine.stream(0).violations()) {
        symptoms.merge(violation.symptom(), 1L, Long::sum);
      }
    }
    return symptoms;
  }
}
