// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.info;

import dev.jgin.cli.report.Units;
import dev.jgin.gin.BarrierProtocol;
import dev.jgin.gin.spi.Axiom;
import dev.jgin.gin.spi.DeviceDetails;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** A report for people: each part under its name, indented. */
public final class InfoText {

  private final PrintWriter out;

  /** A report that goes to {@code out}. */
  public InfoText(PrintWriter out) {
    this.out = out;
  }

  /** Prints the parts that were asked for. */
  public void print(InfoReport report) {
    for (Part part : Part.values()) {
      if (report.parts().contains(part)) {
        line("%s", part.name().toLowerCase(Locale.ROOT));
        switch (part) {
          case MACHINE -> machine(report.machine());
          case DEVICES -> devices(report.devices());
          case FABRICS -> fabrics(report.fabrics());
          case SETTINGS -> settings(report);
        }
      }
    }
    out.flush();
  }

  private void machine(Machine m) {
    line("  %-11s %s", "jgin", m.jgin());
    line("  %-11s %s, %s, %s", "java", m.java(), m.vendor(), m.javaHome());
    line("  %-11s %s %s, %s", "system", m.os(), m.kernel(), m.arch());
    line("  %-11s %d", "processors", m.processors());
    line(
        "  %-11s %s, of the heap at most %s",
        "memory", Units.bytes(m.memoryBytes()), Units.bytes(m.heapBytes()));
  }

  private void devices(List<InfoReport.Seen> carriers) {
    for (InfoReport.Seen seen : carriers) {
      line("  %s", seen.fabric());
      seen.cause().ifPresent(cause -> line("    not available: %s", cause));
      if (seen.devices().isEmpty() && seen.cause().isEmpty()) {
        line("    lists no device");
      }
      for (DeviceDetails device : seen.devices()) {
        line("    %s", device.name());
        new DetailText(out).print(device.details(), 6);
      }
    }
  }

  private void fabrics(List<InfoReport.Promises> carriers) {
    for (Axiom axiom : Axiom.values()) {
      line("  %-3s %s", axiom.label(), axiom.promise());
    }
    line(
        "  granule: naturally aligned bytes that become visible whole; protocols are judged with"
            + " fence %s",
        Promise.FENCE);
    for (InfoReport.Promises carrier : carriers) {
      line("  %s: %s", carrier.fabric(), carrier.summary());
      line("    %s", carrier.cause().map(cause -> "not available: " + cause).orElse("available"));
      for (Promise promise : carrier.specifications()) {
        promise(promise, carrier.cause().isPresent());
      }
    }
  }

  private void promise(Promise promise, boolean absent) {
    line(
        "    %s promises %s",
        promise.specification(),
        promise
            .axioms()
            .map(axioms -> axioms.describe() + (absent ? " (at least, on any device)" : ""))
            .orElse("what it says when it is open"));
    if (promise.axioms().isEmpty()) {
      return;
    }
    line("      %-26s %-10s %s", "protocol", "1 context", Promise.SEVERAL + " contexts");
    for (BarrierProtocol protocol : BarrierProtocol.values()) {
      line(
          "      %-26s %-10s %s",
          protocol,
          word(refusal(promise, protocol, Promise.ONE)),
          word(refusal(promise, protocol, Promise.SEVERAL)));
    }
    for (BarrierProtocol protocol : BarrierProtocol.values()) {
      // What is refused over one context is refused over several, and for the same reason.
      refusal(promise, protocol, Promise.SEVERAL).ifPresent(why -> line("      %s", why));
    }
  }

  private static Optional<String> refusal(Promise promise, BarrierProtocol protocol, int contexts) {
    return promise.verdicts().stream()
        .filter(verdict -> verdict.protocol() == protocol && verdict.contexts() == contexts)
        .findFirst()
        .orElseThrow()
        .refusal();
  }

  private static String word(Optional<String> refusal) {
    return refusal.isEmpty() ? "sound" : "refused";
  }

  private void settings(InfoReport report) {
    for (Settings.Value setting : report.settings()) {
      line(
          "  %s = %s (%s)",
          setting.name(), setting.value().orElse(setting.unset()), setting.origin().words());
      line("    %s", setting.meaning());
    }
    for (Settings.Unknown unknown : report.unknown()) {
      line(
          "  UNKNOWN %s = %s (%s): nothing reads it%s",
          unknown.name(),
          unknown.value(),
          unknown.origin().words(),
          unknown.meant().map(name -> "; did you mean " + name + "?").orElse(""));
    }
  }

  // The annotation it asks for is Error Prone's own, on which nothing here depends.
  @SuppressWarnings("AnnotateFormatMethod")
  private void line(String format, Object... arguments) {
    out.println(String.format(Locale.ROOT, format, arguments).stripTrailing());
  }
}
