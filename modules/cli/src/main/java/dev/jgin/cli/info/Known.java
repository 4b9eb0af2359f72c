// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.info;

import java.util.List;
import java.util.Map;

/**
 * The catalogue of settings. A test compares it with what scripts and code read, so a setting that
 * is new has to be written down here, or below with the reason why nobody should set it.
 */
final class Known {

  /**
   * A setting.
   *
   * @param name of the variable, or of the system property
   * @param unset what happens while it is not set
   * @param meaning in one sentence
   */
  record Setting(String name, String unset, String meaning) {

    /** Whether it is a property of the JVM rather than a variable of the environment. */
    boolean isProperty() {
      return name.startsWith(PROPERTY_PREFIX);
    }
  }

  static final String VARIABLE_PREFIX = "JGIN_";
  static final String PROPERTY_PREFIX = "jgin.";

  static final List<Setting> SETTINGS =
      List.of(
          new Setting(
              "JGIN_JAVA_OPTS",
              "none",
              "options that scripts/jgin and scripts/bench add to their JVM; a guest of"
                  + " scripts/soft-roce sets what suits it there"),
          new Setting(
              "JGIN_STARTUP",
              "auto",
              "archive of classes with which scripts/jgin starts faster: auto makes it when it is"
                  + " out of date, use takes one that is up to date, off does without; a guest of"
                  + " scripts/soft-roce sets use"),
          new Setting("JGIN_MAVEN_ARGS", "none", "words that the scripts add to each Maven call"),
          new Setting(
              "JGIN_ROUTING_DIR",
              "../shared/data/routing beside the checkout, if it is there",
              "folder with router logs (*.jsonl) that checks and tests read; without one they"
                  + " use generators"),
          new Setting(
              "JGIN_QUICK",
              "false",
              "true: the checks leave out what needs a guest with RDMA devices, and say so"),
          new Setting(
              "JGIN_SOFT_ROCE_CACHE",
              ".cache/soft-roce in the checkout",
              "folder in which scripts/soft-roce keeps the guest's kernel"),
          new Setting(
              "JGIN_SOFT_ROCE_KERNEL",
              "the distribution's newest",
              "kernel package of the distribution that scripts/soft-roce boots"),
          new Setting(
              "JGIN_SOFT_ROCE",
              "not run by scripts/soft-roce",
              "set by scripts/soft-roce for its command: guest or native"),
          new Setting(
              "JGIN_RXE_PATH",
              "not in a guest",
              "set in the guest: a command that breaks, slows and heals the devices' paths"),
          new Setting(
              "JGIN_JOB", "not in a guest", "set in the guest: a folder whose files outlive it"),
          new Setting(
              "JGIN_MUTANT",
              "none",
              "mutant of the kernels with which scripts/build-kernels compiles its self-test, to see"
                  + " it fail"),
          new Setting(
              "jgin.kernels",
              "those packed with the classes",
              "a fatbin of scripts/build-kernels, whose kernels the GPU engine launches"),
          new Setting(
              "jgin.seed",
              "each test has its own",
              "seed of the randomised tests, to replay one that failed"),
          new Setting(
              "jgin.gpu.leaks",
              "false",
              "true: what is left open in a GPU's context is told with the place that made it"));

  /** What is read and not shown, with the reason. */
  static final Map<String, String> INTERNAL =
      Map.of(
          "JGIN_ROOT", "each script finds the checkout by itself and overwrites it",
          "JGIN_NOTES", "a temporary file between scripts/test and its checks",
          "jgin.gpu.required", "set by scripts/gpu-test: without a GPU its tests fail",
          "jgin.verbs.required", "set by the verbs check for its tests in the guest",
          "jgin.verbs.fabric", "set by the verbs check for its tests in the guest",
          "jgin.verbs.disorder", "set by a test for the process that it starts",
          "jgin.verbs.memlock", "set by the verbs check for its tests in the guest",
          "jgin.verbs.drains", "set by the two-processor check for its test in the guest");

  private Known() {}

  static boolean has(String name) {
    return INTERNAL.containsKey(name)
        || SETTINGS.stream().anyMatch(setting -> setting.name().equals(name));
  }
}
