// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.doctor;

import java.io.PrintWriter;
import java.util.Locale;

/** Findings for people, one a line. */
public final class DoctorText {
  private DoctorText() {}

  /** Prints them, and how many there are of each kind. */
  public static void print(Examination examination, PrintWriter out) {
    int width =
        examination.findings().stream()
            .mapToInt(finding -> finding.name().length())
            .max()
            .orElse(0);
    String form = "%-8s %-" + Math.max(width, 1) + "s  %s%s";
    for (Finding finding : examination.findings()) {
      String rest =
          finding.status() == Status.OK
              ? ""
              : "; disables " + finding.disables() + "; remedy: " + finding.remedy();
      out.println(
          String.format(
              Locale.ROOT, form, finding.status(), finding.name(), finding.value(), rest));
    }
    out.printf(
        Locale.ROOT,
        "%d OK, %d MISSING, %d UNKNOWN%n",
        examination.count(Status.OK),
        examination.count(Status.MISSING),
        examination.count(Status.UNKNOWN));
    out.flush();
  }
}
