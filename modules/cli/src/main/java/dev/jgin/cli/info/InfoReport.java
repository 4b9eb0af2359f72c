// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.info;

import dev.jgin.gin.spi.DeviceDetails;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What was found. A part that was not asked for is not shown, and its list may be empty.
 *
 * @param parts those asked for
 * @param machine versions and sizes
 * @param devices by carrier
 * @param fabrics promises by carrier
 * @param settings every known setting, set or not
 * @param unknown what is set, looks like a setting and is none
 */
public record InfoReport(
    Set<Part> parts,
    Machine machine,
    List<Seen> devices,
    List<Promises> fabrics,
    List<Settings.Value> settings,
    List<Settings.Unknown> unknown) {

  public InfoReport {
    parts = Set.copyOf(parts);
    devices = List.copyOf(devices);
    fabrics = List.copyOf(fabrics);
    settings = List.copyOf(settings);
    unknown = List.copyOf(unknown);
  }

  /** The devices of one carrier, and why it cannot be opened here if it cannot. */
  public record Seen(String fabric, Optional<String> cause, List<DeviceDetails> devices) {}

  /** One carrier with what it promises under each specification. */
  public record Promises(
      String fabric, String summary, Optional<String> cause, List<Promise> specifications) {}
}
