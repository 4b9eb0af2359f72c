// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gpu;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import jcuda.driver.CUdevice;
import jcuda.driver.CUuuid;
import jcuda.driver.JCudaDriver;

/**
 * A GPU as the driver describes it. Immutable.
 *
 * @param ordinal its number in this process
 * @param name the product
 * @param uuid 32 hexadecimal digits that are the same in every process
 * @param major compute capability, first part
 * @param minor compute capability, second part
 * @param multiprocessors streaming multiprocessors (SMs)
 * @param memoryBytes device memory
 * @param l2Bytes level-2 cache
 * @param sharedBytesPerBlock most dynamic shared memory that a block may ask for
 * @param gpuDirect what GPUDirect RDMA can do here
 */
public record GpuDevice(
    int ordinal,
    String name,
    String uuid,
    int major,
    int minor,
    int multiprocessors,
    long memoryBytes,
    long l2Bytes,
    long sharedBytesPerBlock,
    GpuDirect gpuDirect) {

  // CUdevice_attribute of cuda.h; JCuda's own constants stop at an older toolkit.
  private static final int MULTIPROCESSOR_COUNT = 16;
  private static final int L2_CACHE_SIZE = 38;
  private static final int COMPUTE_CAPABILITY_MAJOR = 75;
  private static final int COMPUTE_CAPABILITY_MINOR = 76;
  private static final int MAX_SHARED_MEMORY_PER_BLOCK_OPTIN = 97;

  static GpuDevice read(int ordinal) {
    CUdevice device = handle(ordinal);
    byte[] name = new byte[256];
    CudaResult.check(JCudaDriver.cuDeviceGetName(name, name.length, device), "cuDeviceGetName");
    CUuuid uuid = new CUuuid();
    CudaResult.check(JCudaDriver.cuDeviceGetUuid(uuid, device), "cuDeviceGetUuid");
    long[] bytes = new long[1];
    CudaResult.check(JCudaDriver.cuDeviceTotalMem(bytes, device), "cuDeviceTotalMem");
    return new GpuDevice(
        ordinal,
        text(name),
        HexFormat.of().formatHex(uuid.bytes),
        attribute(device, COMPUTE_CAPABILITY_MAJOR),
        attribute(device, COMPUTE_CAPABILITY_MINOR),
        attribute(device, MULTIPROCESSOR_COUNT),
        bytes[0],
        attribute(device, L2_CACHE_SIZE),
        attribute(device, MAX_SHARED_MEMORY_PER_BLOCK_OPTIN),
        GpuDirect.read(device));
  }

  /** Whether kernels of this GPU can read and write memory of {@code other}. */
  public boolean canAccess(GpuDevice other) {
    if (other.ordinal == ordinal) {
      return true;
    }
    int[] can = new int[1];
    CudaResult.check(
        JCudaDriver.cuDeviceCanAccessPeer(can, handle(ordinal), handle(other.ordinal)),
        "cuDeviceCanAccessPeer");
    return can[0] != 0;
  }

  /**
   * Opens it: retains its primary context, which every user of the device in this process shares.
   *
   * @throws CudaException if the driver refuses
   */
  public GpuContext open() {
    return new GpuContext(this);
  }

  static CUdevice handle(int ordinal) {
    CUdevice device = new CUdevice();
    CudaResult.check(JCudaDriver.cuDeviceGet(device, ordinal), "cuDeviceGet(%d)", ordinal);
    return device;
  }

  /** An attribute, or 0 if this driver does not know it. */
  static int attribute(CUdevice device, int attribute) {
    int[] value = new int[1];
    int result = JCudaDriver.cuDeviceGetAttribute(value, attribute, device);
    return result == CudaResult.SUCCESS ? value[0] : 0;
  }

  private static String text(byte[] chars) {
    int end = 0;
    while (end < chars.length && chars[end] != 0) {
      end++;
    }
    return new String(chars, 0, end, StandardCharsets.UTF_8);
  }
}
