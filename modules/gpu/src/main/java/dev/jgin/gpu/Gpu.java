// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gpu;

import dev.jgin.bindings.NativeLibrary;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import jcuda.driver.JCudaDriver;

/**
 * Whether this process can use a GPU, and which ones there are. Looked up once, when first asked;
 * never throws for what is missing. Thread-safe.
 */
public final class Gpu {
  /** The oldest driver, as {@code cuDriverGetVersion} says it, that runs kernels of CUDA 13. */
  public static final int OLDEST_DRIVER = 13000;

  private Gpu() {}

  /** Whether there is a GPU that this process can use. */
  public static boolean isAvailable() {
    return unavailabilityCause().isEmpty();
  }

  /** Why there is none, with the remedy; empty if there is one. */
  public static Optional<String> unavailabilityCause() {
    return Optional.ofNullable(Probe.FOUND.cause);
  }

  /**
   * The GPUs, by ordinal.
   *
   * @throws IllegalStateException if there is none, saying why
   */
  public static List<GpuDevice> devices() {
    Probe.FOUND.require();
    return Probe.FOUND.devices;
  }

  /**
   * The GPU with this ordinal.
   *
   * @throws IllegalStateException if there is no GPU at all, saying why
   * @throws IllegalArgumentException if there are some, but not this one
   */
  public static GpuDevice device(int ordinal) {
    List<GpuDevice> all = devices();
    if (ordinal < 0 || ordinal >= all.size()) {
      throw new IllegalArgumentException(
          "GPU "
              + ordinal
              + ": there are "
              + all.size()
              + ", numbered from 0; CUDA_VISIBLE_DEVICES may hide others");
    }
    return all.get(ordinal);
  }

  /**
   * The driver's version as {@code 1000 * major + 10 * minor} of the newest CUDA that it runs.
   *
   * @throws IllegalStateException if there is no GPU
   */
  public static int driverVersion() {
    Probe.FOUND.require();
    return Probe.FOUND.driverVersion;
  }

  /** What one look found. */
  private record Probe(String cause, int driverVersion, List<GpuDevice> devices) {
    static final Probe FOUND = look();

    static Probe look() {
      var missing = NativeLibrary.CUDA.unavailabilityCause();
      if (missing != null) {
        return none(missing.getMessage());
      }
      Optional<String> noLibrary = JcudaLibrary.load();
      if (noLibrary.isPresent()) {
        return none(noLibrary.get());
      }
      try {
        return ask();
      } catch (CudaException e) {
        return none(e.getMessage());
      }
    }

    private static Probe ask() {
      int result = JCudaDriver.cuInit(0);
      if (result != CudaResult.SUCCESS) {
        return none("cuInit: " + CudaResult.describe(result));
      }
      int[] value = new int[1];
      CudaResult.check(JCudaDriver.cuDriverGetVersion(value), "cuDriverGetVersion");
      int version = value[0];
      if (version < OLDEST_DRIVER) {
        return none(
            "the driver runs CUDA up to %d.%d, the kernels need %d.%d: install driver 580 or newer"
                .formatted(
                    version / 1000,
                    version % 1000 / 10,
                    OLDEST_DRIVER / 1000,
                    OLDEST_DRIVER % 1000 / 10));
      }
      CudaResult.check(JCudaDriver.cuDeviceGetCount(value), "cuDeviceGetCount");
      if (value[0] == 0) {
        return none("the driver sees no GPU: look at CUDA_VISIBLE_DEVICES and nvidia-smi");
      }
      List<GpuDevice> devices = new ArrayList<>();
      for (int ordinal = 0; ordinal < value[0]; ordinal++) {
        devices.add(GpuDevice.read(ordinal));
      }
      return new Probe(null, version, List.copyOf(devices));
    }

    static Probe none(String cause) {
      return new Probe(cause, 0, List.of());
    }

    void require() {
      if (cause != null) {
        throw new IllegalStateException("no GPU can be used: " + cause);
      }
    }
  }
}
