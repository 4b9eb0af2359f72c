// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.doctor;

import java.util.List;
import java.util.Optional;

/** Processors that poll, and whether they run at full clock. */
record ProcessorProbe(Host host, int processors) implements Probe {
  @Override
  public List<Finding> look() {
    return List.of(count(), governor());
  }

  private Finding count() {
    String what = processors + " for this process";
    return processors > 1
        ? Finding.ok("cpu.count", what)
        : Finding.missing(
            "cpu.count",
            what,
            "two ranks, or a rank and its proxy, that poll at the same time",
            "at least two processors: taskset, or the container's limit");
  }

  private Finding governor() {
    String disables = "nothing, but latencies scatter while clocks change";
    String remedy = "cpupower frequency-set -g performance";
    Optional<String> governor = host.text("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
    return governor
        .map(found ->
            found.equals("performance")
                ? Finding.ok("cpu.governor", found)
                : Finding.missing("cpu.governor", found, disables, remedy))
        .orElseGet(() ->
            Finding.unknown(
                "cpu.governor", "no cpufreq here (a virtual machine?)", disables, remedy));
  }
}
