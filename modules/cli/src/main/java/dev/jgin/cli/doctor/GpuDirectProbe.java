// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.doctor;

import dev.jgin.gpu.GpuDevice;
import dev.jgin.gpu.GpuDirect;
import java.util.ArrayList;
import java.util.List;

/** What lets a network card read and write memory of a GPU, and a GPU ring a card's doorbell. */
record GpuDirectProbe(Host host, Gpus gpus) implements Probe {
  private static final String PARAMETERS = "/proc/driver/nvidia/params";
  private static final String WINDOWS = "network windows in GPU memory (GDAKI)";

  @Override
  public List<Finding> look() {
    List<Finding> findings = new ArrayList<>();
    boolean dmaBuf = false;
    if (gpus.unavailabilityCause().isEmpty()) {
      dmaBuf = gpus.devices().stream().allMatch(device -> device.gpuDirect().dmaBuf());
      for (GpuDevice device : gpus.devices()) {
        findings.add(attributes(device));
      }
    } else {
      findings.add(Finding.unknown("gpudirect", "no GPU can be asked", WINDOWS, "see gpu.cuda"));
    }
    findings.add(peermem(dmaBuf));
    findings.add(doorbell());
    return findings;
  }

  private static Finding attributes(GpuDevice device) {
    GpuDirect direct = device.gpuDirect();
    String name = "gpudirect." + device.ordinal();
    String what =
        "%s, dma-buf %s, writes ordered for %s, flush by %s"
            .formatted(
                direct.supported() ? "supported" : "not supported",
                direct.dmaBuf() ? "yes" : "no",
                ordering(direct.writesOrdering()),
                flush(direct.flushOptions()));
    if (!direct.supported()) {
      return Finding.missing(name, what, WINDOWS, "a data centre GPU; PROXY does without");
    }
    return direct.writesOrdering() == 0 && direct.flushOptions() == 0
        ? Finding.missing(
            name,
            what,
            "axiom A4 for windows in GPU memory: a signal may be seen before its data",
            "a GPU that orders or flushes such writes; PROXY does without")
        : Finding.ok(name, what);
  }

  private static String ordering(int value) {
    return switch (value) {
      case 0 -> "nobody";
      case 100 -> "the owning GPU";
      case 200 -> "every GPU";
      default -> "code " + value;
    };
  }

  private static String flush(int bits) {
    return switch (bits & 3) {
      case 0 -> "nobody";
      case 1 -> "the host";
      case 2 -> "the stream";
      default -> "host and stream";
    };
  }

  private Finding peermem(boolean dmaBuf) {
    if (host.exists("/sys/module/nvidia_peermem")) {
      return Finding.ok("gpudirect.peermem", "nvidia_peermem is loaded");
    }
    return dmaBuf
        ? Finding.ok("gpudirect.peermem", "nvidia_peermem is not loaded; dma-buf does without")
        : Finding.missing(
            "gpudirect.peermem",
            "nvidia_peermem is not loaded",
            WINDOWS + ", where dma-buf is not supported",
            "modprobe nvidia_peermem (comes with the driver)");
  }

  /** Registering a card's doorbell page for a GPU is the privileged IOMEMORY registration. */
  private Finding doorbell() {
    String name = "gpudirect.doorbell";
    if (host.names("/dev/infiniband").stream().noneMatch(node -> node.startsWith("uverbs"))) {
      return Finding.missing(
          name,
          "no /dev/infiniband/uverbs*: there is no doorbell page to map",
          "kernels that ring a card's doorbell (GDAKI)",
          "a ConnectX adapter with its driver mlx5_ib; PROXY does without");
    }
    return host.line(PARAMETERS, "RegistryDwords:")
        .map(words ->
            words.contains("PeerMappingOverride=1")
                ? Finding.ok(name, "PeerMappingOverride=1")
                : Finding.unknown(
                    name,
                    "PeerMappingOverride is not set: IOMEMORY registration needs root",
                    "kernels that ring a card's doorbell (GDAKI), unless run as root",
                    "options nvidia NVreg_RegistryDwords=\"PeerMappingOverride=1;\" in"
                        + " /etc/modprobe.d, then reload the driver"))
        .orElseGet(() ->
            Finding.unknown(
                name,
                PARAMETERS + " cannot be read",
                "kernels that ring a card's doorbell (GDAKI)",
                "see gpu.driver"));
  }
}
