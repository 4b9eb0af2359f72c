// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.verbs.device;

import dev.jgin.bindings.Errno;
import dev.jgin.gin.spi.RegionMemory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * How an adapter gets at memory of a GPU.
 *
 * <p>Of the two ways, a dma-buf is the kernel's own: any driver that exports one meets any driver
 * that takes one. The other is a module of the GPU's vendor that answers when the kernel cannot pin
 * an address; it needs no file descriptor, and nothing tells before the call whether it will
 * answer.
 */
enum GpuPath {
  /** {@code ibv_reg_dmabuf_mr}. */
  DMA_BUF,
  /** {@code ibv_reg_mr} on the device address, answered by a module such as nvidia_peermem. */
  PEER_MODULE;

  /** Modules that answer: today's name, and that of the package before the driver brought it. */
  private static final List<String> MODULES = List.of("nvidia_peermem", "nv_peer_mem");

  private static final int ENOSYS = 38;
  private static final int EPROTONOSUPPORT = 93;
  private static final int EOPNOTSUPP = 95;

  /**
   * What this machine offers.
   *
   * @param dmaBuf 0 if the device takes dma-bufs, else the errno with which it says that it does
   *     not
   * @param module the peer-memory module that is loaded
   */
  record Offer(int dmaBuf, Optional<String> module) {

    /**
     * Reads the answer to a registration of no bytes of no file: EBADF and the like come from a
     * driver that would have taken a good one.
     */
    static Offer of(int errno, Optional<String> module) {
      boolean refused = errno == EOPNOTSUPP || errno == EPROTONOSUPPORT || errno == ENOSYS;
      return new Offer(refused ? errno : 0, module);
    }
  }

  /** The first peer-memory module that is a folder below {@code modules}, {@code /sys/module}. */
  static Optional<String> loadedModule(Path modules) {
    return MODULES.stream().filter(name -> Files.isDirectory(modules.resolve(name))).findFirst();
  }

  /**
   * Chooses: a dma-buf if there is one and the device takes it, else the module.
   *
   * @throws IllegalStateException if neither is there, naming what is missing and the remedy
   */
  static GpuPath choose(String device, String name, RegionMemory.Device memory, Offer offer) {
    if (memory.dmaBuf().isPresent() && offer.dmaBuf() == 0) {
      return DMA_BUF;
    }
    if (offer.module().isPresent()) {
      return PEER_MODULE;
    }
    String refusal =
        "device '"
            + device
            + "' takes no dma-buf ("
            + Errno.describe(offer.dmaBuf())
            + "), which needs Linux 5.12, rdma-core 34 and an adapter's driver such as mlx5_ib;";
    throw new IllegalStateException(
        "registering '"
            + name
            + "', memory of a GPU at 0x"
            + Long.toHexString(memory.address())
            + ", "
            + memory.bytes()
            + " bytes, is not possible here: "
            + (offer.dmaBuf() == 0 ? "" : refusal + " ")
            + (memory.dmaBuf().isPresent()
                ? ""
                : "no dma-buf of it was given (cuMemGetHandleForAddressRange; the GPU's driver exports"
                    + " them if CU_DEVICE_ATTRIBUTE_DMA_BUF_SUPPORTED is 1, which needs its open kernel"
                    + " modules); ")
            + "and no peer-memory module is loaded: modprobe nvidia_peermem"
            + (offer.dmaBuf() == 0 ? ", or give a dma-buf" : ""));
  }
}
