// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.doctor;

import dev.jgin.bindings.NativeLibrary;
import dev.jgin.bindings.NativeUnavailableException;
import dev.jgin.gin.Fabrics;
import dev.jgin.gin.spi.DeviceDetails;
import dev.jgin.gin.spi.FabricProvider;
import dev.jgin.gpu.Gpu;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** All findings of one look, in the order of the probes. Immutable. */
public record Examination(List<Finding> findings) {

  public Examination {
    findings = List.copyOf(findings);
  }

  /** Looks at this machine and this process. */
  public static Examination here() {
    Host host = new Host(Path.of("/"), System.getenv());
    Gpus gpus = Gpus.here();
    return by(
        List.of(
            new GpuProbe(host, gpus),
            new GpuDirectProbe(host, gpus),
            new KernelProbe(host, KernelProbe.of(Gpu.class.getModule())),
            new RdmaProbe(
                host,
                Examination::rdmaDevices,
                List.of(library(NativeLibrary.VERBS), library(NativeLibrary.MLX5))),
            new MemoryProbe(host),
            new PcieProbe(host),
            new ProcessorProbe(host, Runtime.getRuntime().availableProcessors()),
            new JavaProbe(
                Runtime.version() + ", " + System.getProperty("java.vendor"),
                List.of(
                    caller(NativeLibrary.class.getModule(), "dev.jgin.bindings"),
                    caller(Gpu.class.getModule(), "dev.jgin.gpu")))));
  }

  static Examination by(List<Probe> probes) {
    return new Examination(probes.stream().flatMap(probe -> probe.look().stream()).toList());
  }

  /** How many findings have this status. */
  public long count(Status status) {
    return findings.stream().filter(finding -> finding.status() == status).count();
  }

  private static List<DeviceDetails> rdmaDevices() {
    return Fabrics.all().stream()
        .filter(fabric -> fabric.name().equals("verbs"))
        .findFirst()
        .map(FabricProvider::devices)
        .orElse(List.of());
  }

  private static RdmaProbe.Library library(NativeLibrary library) {
    return new RdmaProbe.Library(
        library.soname(),
        Optional.ofNullable(library.unavailabilityCause())
            .map(NativeUnavailableException::getMessage));
  }

  private static JavaProbe.Caller caller(Module module, String name) {
    return new JavaProbe.Caller(name, module.isNativeAccessEnabled());
  }
}
