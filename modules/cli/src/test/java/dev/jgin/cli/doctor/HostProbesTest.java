// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.doctor;

import static dev.jgin.cli.doctor.Machine.assertFound;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostProbesTest {
  private static final String LIMIT = "Max locked memory         %s              unlimited bytes";

  @TempDir private Path root;

  private Machine machine() {
    return new Machine(root);
  }

  private Probe memory() {
    return new MemoryProbe(machine().host());
  }

  private Probe pcie() {
    return new PcieProbe(machine().host());
  }

  @Test
  void shouldJudgeTheLimitOfLockedMemory() throws IOException {
    assertFound(memory(), "memory.lock", Status.UNKNOWN, "/proc/self/limits");
    machine().with("proc/self/limits", LIMIT.formatted("8388608"));
    assertFound(memory(), "memory.lock", Status.MISSING, "limit 8.00 MiB");
    machine().with("proc/self/status", "CapEff:\t0000000000004000\n");
    assertFound(memory(), "memory.lock", Status.OK, "CAP_IPC_LOCK");
    machine().with("proc/self/status", "CapEff:\t0000003fffffbfff\n");
    assertFound(memory(), "memory.lock", Status.MISSING, "limit 8.00 MiB");
    machine().with("proc/self/limits", LIMIT.formatted("unlimited"));
    assertFound(memory(), "memory.lock", Status.OK, "no limit");
  }

  @Test
  void shouldLookForLargePages() throws IOException {
    assertFound(memory(), "memory.huge_pages", Status.UNKNOWN, "0 of 2 MiB");
    machine().with("sys/kernel/mm/transparent_hugepage/enabled", "always madvise [never]\n");
    assertFound(memory(), "memory.huge_pages", Status.MISSING, "transparent never");
    machine().with("sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages", "512\n");
    assertFound(memory(), "memory.huge_pages", Status.OK, "512 of 2 MiB");
    machine().with("sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages", "0\n");
    machine().with("sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n");
    assertFound(memory(), "memory.huge_pages", Status.OK, "transparent madvise");
  }

  @Test
  void shouldTellATranslatingIommuFromAPassingOne() throws IOException {
    assertFound(pcie(), "pcie.iommu", Status.OK, "none");
    machine().with("sys/kernel/iommu_groups/0/type", "identity\n");
    assertFound(pcie(), "pcie.iommu", Status.OK, "{identity=1}");
    machine().with("sys/kernel/iommu_groups/1/type", "DMA-FQ\n");
    assertFound(pcie(), "pcie.iommu", Status.MISSING, "DMA-FQ=1");
    machine().with("sys/kernel/iommu_groups/2/devices/x", "");
    assertFound(pcie(), "pcie.iommu", Status.UNKNOWN, "unknown=1");
  }

  /** A bridge whose second extended capability is access control with this control register. */
  private void bridge(int control, int bytes) throws IOException {
    byte[] config = new byte[bytes];
    if (bytes > 0x148) {
      config[0x100] = 1; // error reporting; the next is at 140h
      config[0x102] = 1;
      config[0x103] = 0x14;
      config[0x140] = 0x0d;
      config[0x142] = 1;
      config[0x146] = (byte) control;
    }
    machine()
        .with("sys/bus/pci/devices/0000:00:01.0/class", "0x060400\n")
        .with("sys/bus/pci/devices/0000:00:01.0/config", config)
        .with("sys/bus/pci/devices/0000:00:02.0/class", "0x020700\n");
  }

  @Test
  void shouldReadAccessControlOfBridges() throws IOException {
    assertFound(pcie(), "pcie.acs", Status.OK, "0 bridges");
    bridge(0x1d, 64);
    assertFound(pcie(), "pcie.acs", Status.UNKNOWN, "1 of 1 bridges");
    bridge(0x1d, 4096);
    assertFound(pcie(), "pcie.acs", Status.MISSING, "0000:00:01.0");
    bridge(0x01, 4096);
    assertFound(pcie(), "pcie.acs", Status.OK, "1 bridges, none redirects");
  }

  @Test
  void shouldEndOnACapabilityListThatRunsInACircle() throws IOException {
    byte[] config = new byte[4096];
    config[0x100] = 1;
    config[0x103] = 0x10;
    bridge(0, 64);
    machine().with("sys/bus/pci/devices/0000:00:01.0/config", config);
    assertFound(pcie(), "pcie.acs", Status.OK, "none redirects");
  }

  @Test
  void shouldJudgeProcessors() throws IOException {
    assertFound(new ProcessorProbe(machine().host(), 1), "cpu.count", Status.MISSING, "1 for");
    Probe two = new ProcessorProbe(machine().host(), 2);
    assertFound(two, "cpu.count", Status.OK, "2 for");
    assertFound(two, "cpu.governor", Status.UNKNOWN, "no cpufreq");
    String file = "sys/devices/system/cpu/cpu0/cpufreq/scaling_governor";
    machine().with(file, "powersave\n");
    assertFound(two, "cpu.governor", Status.MISSING, "powersave");
    machine().with(file, "performance\n");
    assertFound(two, "cpu.governor", Status.OK, "performance");
  }

  @Test
  void shouldNameModulesThatMayNotCallC() {
    var allowed = new JavaProbe.Caller("one", true);
    var refused = new JavaProbe.Caller("two", false);
    String name = "java.native_access";
    assertFound(new JavaProbe("25", List.of(allowed)), name, Status.OK, "one");
    assertFound(new JavaProbe("25", List.of(allowed, refused)), name, Status.MISSING, "to two");
  }
}
