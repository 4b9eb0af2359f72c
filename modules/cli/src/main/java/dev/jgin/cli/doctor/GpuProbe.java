// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.doctor;

import dev.jgin.cli.report.Units;
import dev.jgin.gpu.GpuDevice;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The driver, the GPUs, and who of them reaches whom. */
record GpuProbe(Host host, Gpus gpus) implements Probe {
  private static final String EVERYTHING = "everything on a GPU";

  @Override
  public List<Finding> look() {
    List<Finding> findings = new ArrayList<>();
    findings.add(driver());
    Optional<String> cause = gpus.unavailabilityCause();
    if (cause.isPresent()) {
      findings.add(
          Finding.missing(
              "gpu.cuda",
              cause.get(),
              EVERYTHING,
              "a GPU of compute capability 9.0 or newer with driver 580 or newer"));
      return findings;
    }
    int version = gpus.driverVersion();
    findings.add(
        Finding.ok("gpu.cuda", "CUDA %d.%d".formatted(version / 1000, version % 1000 / 10)));
    for (GpuDevice device : gpus.devices()) {
      findings.add(device(device));
    }
    findings.add(peers(gpus.devices()));
    return findings;
  }

  private Finding driver() {
    Optional<String> version =
        host.line("/proc/driver/nvidia/version", "NVRM version:")
            .or(() -> host.text("/sys/module/nvidia/version"));
    return version
        .map(found -> Finding.ok("gpu.driver", found.replaceAll(" +", " ")))
        .orElseGet(() ->
            Finding.missing(
                "gpu.driver",
                "no /proc/driver/nvidia/version and no /sys/module/nvidia",
                EVERYTHING,
                "install NVIDIA's driver 580 or newer and load its module: modprobe nvidia"));
  }

  private static Finding device(GpuDevice device) {
    String name = "gpu." + device.ordinal();
    String what =
        "%s, compute capability %d.%d, %d SMs, %s"
            .formatted(
                device.name(),
                device.major(),
                device.minor(),
                device.multiprocessors(),
                Units.bytes(device.memoryBytes()));
    return device.major() >= 9
        ? Finding.ok(name, what)
        : Finding.missing(
            name,
            what,
            "kernels on this GPU: they need bulk copies and dependent launches",
            "a GPU of compute capability 9.0 or newer, or hide it by CUDA_VISIBLE_DEVICES");
  }

  private Finding peers(List<GpuDevice> devices) {
    List<String> apart = new ArrayList<>();
    for (GpuDevice from : devices) {
      for (GpuDevice to : devices) {
        if (from.ordinal() != to.ordinal() && !gpus.canAccess(from, to)) {
          apart.add(from.ordinal() + " to " + to.ordinal());
        }
      }
    }
    if (devices.size() == 1) {
      return Finding.ok("gpu.peers", "one GPU: there is none to reach");
    }
    return apart.isEmpty()
        ? Finding.ok("gpu.peers", "each of " + devices.size() + " GPUs reaches each other")
        : Finding.missing(
            "gpu.peers",
            "no access from " + String.join(", ", apart),
            "the NVLINK backend between these",
            "GPUs joined by NVLink, or one PCIe root without access control; PROXY does without");
  }
}
