// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.gpu;

/** How kernels reach the other ranks. */
public enum GpuBackend {
  /** {@link #NVLINK} if all ranks are of one process and their GPUs reach each other. */
  AUTO,
  /** Kernels store into the peers' memory: GPUs of one process, or one GPU. */
  NVLINK,
  /** Kernels write descriptors, a thread posts them to the communicator's carrier. */
  PROXY
}
