// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.doctor;

import dev.jgin.cli.report.Units;
import java.util.List;
import java.util.Optional;

/** How much memory may be pinned, and whether large pages are to be had. */
record MemoryProbe(Host host) implements Probe {
  /** A window of a layer is some hundred MiB; below this a limit will be met. */
  private static final long ENOUGH = 16L << 30;

  private static final int CAP_IPC_LOCK = 14;
  private static final String THP = "/sys/kernel/mm/transparent_hugepage/enabled";
  private static final String POOL = "/sys/kernel/mm/hugepages/hugepages-2048kB/";

  @Override
  public List<Finding> look() {
    return List.of(lock(), pages());
  }

  private Finding lock() {
    String name = "memory.lock";
    String disables = "windows larger than that: registration for a card or a GPU pins them";
    String remedy = "ulimit -l unlimited, or memlock in /etc/security/limits.conf";
    Optional<String> line = host.line("/proc/self/limits", "Max locked memory");
    String soft = line.map(limits -> limits.split(" +", -1)[0]).orElse("");
    if (soft.equals("unlimited")) {
      return Finding.ok(name, "no limit");
    }
    if (!soft.matches("[0-9]{1,18}")) {
      return Finding.unknown(name, "/proc/self/limits does not tell", disables, remedy);
    }
    long bytes = Long.parseLong(soft);
    if (capable()) {
      return Finding.ok(name, Units.bytes(bytes) + ", which CAP_IPC_LOCK overrules");
    }
    return bytes >= ENOUGH
        ? Finding.ok(name, Units.bytes(bytes))
        : Finding.missing(name, "limit " + Units.bytes(bytes), disables, remedy);
  }

  private boolean capable() {
    return host.line("/proc/self/status", "CapEff:")
        .map(mask -> (Long.parseUnsignedLong(mask, 16) >>> CAP_IPC_LOCK & 1) != 0)
        .orElse(false);
  }

  private Finding pages() {
    String name = "memory.huge_pages";
    String reserved = host.text(POOL + "nr_hugepages").orElse("0");
    Optional<String> thp = host.text(THP);
    String what =
        reserved
            + " of 2 MiB reserved, transparent "
            + thp.map(MemoryProbe::chosen).orElse("unknown");
    if (!reserved.equals("0")
        || thp.map(MemoryProbe::chosen).filter(MemoryProbe::serves).isPresent()) {
      return Finding.ok(name, what);
    }
    String disables = "nothing; large windows cost more entries in a card's translation table";
    String remedy = "echo madvise > " + THP;
    return thp.isEmpty()
        ? Finding.unknown(name, what, disables, remedy)
        : Finding.missing(name, what, disables, remedy);
  }

  private static boolean serves(String mode) {
    return !mode.equals("never");
  }

  /** The word in brackets of {@code always [madvise] never}. */
  private static String chosen(String modes) {
    int open = modes.indexOf('[');
    int close = modes.indexOf(']');
    return open >= 0 && close > open ? modes.substring(open + 1, close) : modes;
  }
}
