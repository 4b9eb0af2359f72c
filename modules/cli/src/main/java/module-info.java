// SPDX-License-Identifier: Apache-2.0

/** The {@code jgin} command. */
module dev.jgin.cli {
  requires com.fasterxml.jackson.core;
  requires com.fasterxml.jackson.databind;
  requires dev.jgin.bindings;
  requires dev.jgin.fabric.emulated;
  requires dev.jgin.fabric.verbs;
  requires dev.jgin.gpu;
  requires dev.jgin.gin;
  requires dev.jgin.moe;
  requires dev.jgin.moe.gpu;
  requires info.picocli;
  requires jdk.management;

  opens dev.jgin.cli to
      info.picocli;
  opens dev.jgin.cli.perf to
      info.picocli;
}
