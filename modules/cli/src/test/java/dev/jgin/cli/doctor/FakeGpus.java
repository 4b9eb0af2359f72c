// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.doctor;

import dev.jgin.gpu.GpuDevice;
import dev.jgin.gpu.GpuDirect;
import java.util.List;
import java.util.Optional;

/** GPUs that are not there. */
record FakeGpus(Optional<String> unavailabilityCause, List<GpuDevice> devices, boolean joined)
    implements Gpus {
  static final GpuDirect ALL = new GpuDirect(true, true, 100, 1);

  static FakeGpus none() {
    return new FakeGpus(Optional.of("the driver sees no GPU"), List.of(), false);
  }

  static FakeGpus of(boolean joined, GpuDevice... devices) {
    return new FakeGpus(Optional.empty(), List.of(devices), joined);
  }

  static GpuDevice device(int ordinal, int major, GpuDirect direct) {
    return new GpuDevice(
        ordinal, "Sample", "00", major, 0, 132, 141L << 30, 60 << 20, 227 << 10, direct);
  }

  @Override
  public int driverVersion() {
    return 13000;
  }

  @Override
  public boolean canAccess(GpuDevice from, GpuDevice to) {
    return joined;
  }
}
