// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.info;

import java.util.List;
import java.util.Set;

/** Asks for the parts of a report and for nothing else: devices are left alone unless wanted. */
public final class Inquiry {

  private final Carriers carriers;
  private final Settings settings;

  /** A report on these carriers and settings. */
  public Inquiry(Carriers carriers, Settings settings) {
    this.carriers = carriers;
    this.settings = settings;
  }

  /**
   * The report.
   *
   * @param specifications whose promises to tell; empty: the presets of every carrier
   * @throws IllegalArgumentException if a specification is malformed, has a wrong option or an
   *     unknown carrier
   */
  public InfoReport report(Set<Part> parts, Machine machine, List<String> specifications) {
    boolean set = parts.contains(Part.SETTINGS);
    return new InfoReport(
        parts,
        machine,
        parts.contains(Part.DEVICES) ? carriers.devices() : List.of(),
        parts.contains(Part.FABRICS) ? promises(specifications) : List.of(),
        set ? settings.known() : List.of(),
        set ? settings.unknown() : List.of());
  }

  private List<InfoReport.Promises> promises(List<String> specifications) {
    return specifications.isEmpty() ? carriers.promises() : carriers.promises(specifications);
  }
}
