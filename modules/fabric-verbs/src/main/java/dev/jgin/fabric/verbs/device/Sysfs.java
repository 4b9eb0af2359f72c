// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.verbs.device;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** What the kernel tells about a device beside libibverbs. */
final class Sysfs {

  private static final Path DEVICES = Path.of("/sys/class/infiniband");

  private Sysfs() {}

  /** Name of the kernel driver of the bus device below it; empty for a device without a bus. */
  static Optional<String> driver(String device) {
    try {
      Path link = DEVICES.resolve(device).resolve("device/driver").toRealPath();
      return Optional.of(link.getFileName().toString());
    } catch (IOException _) {
      return Optional.empty();
    }
  }
}
