// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.doctor;

import static dev.jgin.cli.doctor.FakeGpus.ALL;
import static dev.jgin.cli.doctor.FakeGpus.device;
import static dev.jgin.cli.doctor.Machine.assertFound;

import dev.jgin.gpu.GpuDirect;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GpuProbesTest {
  @TempDir private Path root;

  private Machine machine() {
    return new Machine(root);
  }

  @Test
  void shouldSayWhatABareMachineLacks() {
    Probe probe = new GpuProbe(machine().host(), FakeGpus.none());
    assertFound(probe, "gpu.driver", Status.MISSING, "/proc/driver/nvidia/version");
    assertFound(probe, "gpu.cuda", Status.MISSING, "sees no GPU");
    Probe direct = new GpuDirectProbe(machine().host(), FakeGpus.none());
    assertFound(direct, "gpudirect", Status.UNKNOWN, "no GPU");
    assertFound(direct, "gpudirect.peermem", Status.MISSING, "not loaded");
    assertFound(direct, "gpudirect.doorbell", Status.MISSING, "no /dev/infiniband/uverbs");
  }

  @Test
  void shouldShowDriverAndDevices() throws IOException {
    machine()
        .with(
            "proc/driver/nvidia/version",
            "NVRM version: NVIDIA UNIX Open  580.159.04  Release\nGCC version: 13\n");
    Probe probe = new GpuProbe(machine().host(), FakeGpus.of(true, device(0, 9, ALL)));
    assertFound(probe, "gpu.driver", Status.OK, "NVIDIA UNIX Open 580.159.04");
    assertFound(probe, "gpu.cuda", Status.OK, "CUDA 13.0");
    assertFound(probe, "gpu.0", Status.OK, "Sample, compute capability 9.0, 132 SMs, 141.00 GiB");
    assertFound(probe, "gpu.peers", Status.OK, "one GPU");
  }

  @Test
  void shouldRefuseAGpuThatIsTooOld() {
    Probe probe = new GpuProbe(machine().host(), FakeGpus.of(true, device(0, 8, ALL)));
    assertFound(probe, "gpu.0", Status.MISSING, "compute capability 8.0");
  }

  @Test
  void shouldNameGpusThatDoNotReachEachOther() {
    Host host = machine().host();
    Probe joined = new GpuProbe(host, FakeGpus.of(true, device(0, 9, ALL), device(1, 9, ALL)));
    assertFound(joined, "gpu.peers", Status.OK, "each of 2 GPUs");
    Probe apart = new GpuProbe(host, FakeGpus.of(false, device(0, 9, ALL), device(1, 9, ALL)));
    assertFound(apart, "gpu.peers", Status.MISSING, "0 to 1, 1 to 0");
  }

  @Test
  void shouldReadWhatGpuDirectOffers() {
    Host host = machine().host();
    assertFound(
        new GpuDirectProbe(host, FakeGpus.of(true, device(0, 9, ALL))),
        "gpudirect.0",
        Status.OK,
        "supported, dma-buf yes, writes ordered for the owning GPU, flush by the host");
    assertFound(
        new GpuDirectProbe(host, FakeGpus.of(true, device(0, 9, new GpuDirect(true, true, 0, 0)))),
        "gpudirect.0",
        Status.MISSING,
        "ordered for nobody, flush by nobody");
    assertFound(
        new GpuDirectProbe(
            host, FakeGpus.of(true, device(0, 9, new GpuDirect(false, false, 0, 0)))),
        "gpudirect.0",
        Status.MISSING,
        "not supported");
  }

  @Test
  void shouldAskForPeermemOnlyWhereDmaBufIsNotSupported() throws IOException {
    FakeGpus with = FakeGpus.of(true, device(0, 9, ALL));
    FakeGpus without = FakeGpus.of(true, device(0, 9, new GpuDirect(true, false, 100, 1)));
    String name = "gpudirect.peermem";
    assertFound(new GpuDirectProbe(machine().host(), with), name, Status.OK, "dma-buf");
    assertFound(new GpuDirectProbe(machine().host(), without), name, Status.MISSING, "not loaded");
    machine().with("sys/module/nvidia_peermem/version", "580");
    assertFound(new GpuDirectProbe(machine().host(), without), name, Status.OK, "is loaded");
  }

  @Test
  void shouldTellWhetherADoorbellCanBeMapped() throws IOException {
    FakeGpus gpus = FakeGpus.of(true, device(0, 9, ALL));
    String name = "gpudirect.doorbell";
    machine().with("dev/infiniband/uverbs0", "");
    assertFound(new GpuDirectProbe(machine().host(), gpus), name, Status.UNKNOWN, "params");
    machine().with("proc/driver/nvidia/params", "EnableMSI: 1\nRegistryDwords: \"\"\n");
    assertFound(new GpuDirectProbe(machine().host(), gpus), name, Status.UNKNOWN, "needs root");
    machine().with("proc/driver/nvidia/params", "RegistryDwords: \"PeerMappingOverride=1;\"\n");
    assertFound(new GpuDirectProbe(machine().host(), gpus), name, Status.OK, "=1");
  }

  @Test
  void shouldFindKernelsAndTheirCompiler() throws IOException {
    Probe without = new KernelProbe(machine().host(), _ -> false);
    assertFound(without, "kernels", Status.MISSING, "kernels.fatbin");
    assertFound(without, "kernels.nvcc", Status.MISSING, "no nvcc");
    machine().with("opt/cuda/bin/nvcc", "");
    Probe with = new KernelProbe(machine().host(), KernelProbe.FATBIN::equals);
    assertFound(with, "kernels", Status.OK, "kernels.fatbin");
    assertFound(with, "kernels.nvcc", Status.OK, "/opt/cuda/bin/nvcc");
  }
}
