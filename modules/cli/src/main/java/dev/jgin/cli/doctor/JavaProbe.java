// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.doctor;

import java.util.List;

/**
 * The JVM, and whether it lets jgin call C.
 *
 * @param java version and vendor
 * @param modules those that call C
 */
record JavaProbe(String java, List<JavaProbe.Caller> modules) implements Probe {
  /** A module that calls C, and whether it may. */
  record Caller(String name, boolean allowed) {}

  @Override
  public List<Finding> look() {
    List<String> refused =
        modules.stream().filter(module -> !module.allowed()).map(Caller::name).toList();
    String all = String.join(",", modules.stream().map(Caller::name).toList());
    return List.of(
        Finding.ok("java.version", java),
        refused.isEmpty()
            ? Finding.ok("java.native_access", "allowed to " + all)
            : Finding.missing(
                "java.native_access",
                "not allowed to " + String.join(", ", refused),
                "RDMA and GPUs, in a JVM that denies what was not asked for",
                "--enable-native-access=" + all));
  }
}
