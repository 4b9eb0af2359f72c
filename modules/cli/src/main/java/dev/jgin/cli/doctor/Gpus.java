// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.doctor;

import dev.jgin.gpu.Gpu;
import dev.jgin.gpu.GpuDevice;
import java.util.List;
import java.util.Optional;

/** What the CUDA driver says, or a test in its place. */
interface Gpus {

  /** Why no GPU can be used; empty if one can. */
  Optional<String> unavailabilityCause();

  /** The GPUs; called only if one can be used. */
  List<GpuDevice> devices();

  /** As {@code cuDriverGetVersion} says it; called only if a GPU can be used. */
  int driverVersion();

  /** Whether kernels of {@code from} can reach memory of {@code to}. */
  boolean canAccess(GpuDevice from, GpuDevice to);

  /** Those of this process. */
  static Gpus here() {
    return new Gpus() {
      @Override
      public Optional<String> unavailabilityCause() {
        return Gpu.unavailabilityCause();
      }

      @Override
      public List<GpuDevice> devices() {
        return Gpu.devices();
      }

      @Override
      public int driverVersion() {
        return Gpu.driverVersion();
      }

      @Override
      public boolean canAccess(GpuDevice from, GpuDevice to) {
        return from.canAccess(to);
      }
    };
  }
}
