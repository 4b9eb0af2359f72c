// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gpu;

import jcuda.driver.CUdevice;

/**
 * What a GPU offers to network cards that read and write its memory. Source of the numbers: {@code
 * CUdevice_attribute} of cuda.h.
 *
 * @param supported whether GPUDirect RDMA works at all (through a kernel module or dma-buf)
 * @param dmaBuf whether device memory can be exported as a dma-buf
 * @param writesOrdering whose reads see writes of a third device in order: 0 nobody's, 100 the
 *     owning GPU's, 200 every GPU's
 * @param flushOptions bit 0: the host can flush such writes; bit 1: a stream memory operation can
 */
public record GpuDirect(boolean supported, boolean dmaBuf, int writesOrdering, int flushOptions) {
  private static final int SUPPORTED = 116;
  private static final int FLUSH_WRITES_OPTIONS = 117;
  private static final int WRITES_ORDERING = 118;
  private static final int DMA_BUF_SUPPORTED = 124;

  static GpuDirect read(CUdevice device) {
    return new GpuDirect(
        GpuDevice.attribute(device, SUPPORTED) != 0,
        GpuDevice.attribute(device, DMA_BUF_SUPPORTED) != 0,
        GpuDevice.attribute(device, WRITES_ORDERING),
        GpuDevice.attribute(device, FLUSH_WRITES_OPTIONS));
  }
}
