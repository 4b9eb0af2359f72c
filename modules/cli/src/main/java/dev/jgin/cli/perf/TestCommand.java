// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.perf;

import dev.jgin.cli.perf.report.PerfOutput;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** What the commands of all tests have in common. */
abstract class TestCommand implements Callable<Integer> {
  /** Iterations of a latency test, as in perftest. */
  static final int LATENCY_ITERATIONS = 1000;

  /** Rounds after which the just-in-time compiler has seen enough. */
  static final int LATENCY_WARMUP = 20_000;

  @Mixin PerfOptions options;

  @Spec private CommandSpec spec;

  /** The run that the options ask for. */
  abstract PerfJob job();

  /** A test of latency between two ranks. */
  final PerfJob latency(PerfTest test, List<Long> sizes) {
    return new PerfJob(
        test,
        options.fabric("emulated"),
        2,
        options.contexts,
        sizes,
        List.of(),
        false,
        0,
        false,
        options.effort(LATENCY_ITERATIONS, LATENCY_WARMUP, sizes.getFirst()),
        options.waiting,
        options.timeoutNanos(),
        options.seed,
        options.allowUnsound);
  }

  @Override
  public Integer call() {
    options.check();
    PerfOutput output = options.output(spec.commandLine().getOut());
    return PerfRun.run(job(), output).exitCode();
  }
}
