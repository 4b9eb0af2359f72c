// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.verbs.device;

import dev.jgin.bindings.Errno;
import dev.jgin.bindings.ibverbs.ibv_mr;
import dev.jgin.bindings.ibverbs.verbs_h;
import dev.jgin.fabric.verbs.VerbsException;
import dev.jgin.gin.spi.RegionMemory;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/** Memory that a device may read and write. Immutable but for {@link #close}. */
public final class MemoryRegion implements AutoCloseable {

  private static final int ENOMEM = 12;

  private final MemorySegment region;
  private final int lkey;
  private final int rkey;

  /**
   * Registers {@code memory} for local writes and for remote writes, reads and atomics.
   *
   * @param name for messages
   * @param relaxed whether the device may let later writes pass earlier ones on the bus
   * @throws VerbsException naming address, size, flags, errno, RLIMIT_MEMLOCK and the remedy
   * @throws IllegalStateException if it is memory of a GPU and nothing here gets at that
   */
  public MemoryRegion(Device device, String name, RegionMemory memory, boolean relaxed) {
    int access =
        verbs_h.IBV_ACCESS_LOCAL_WRITE()
            | verbs_h.IBV_ACCESS_REMOTE_WRITE()
            | verbs_h.IBV_ACCESS_REMOTE_READ()
            | verbs_h.IBV_ACCESS_REMOTE_ATOMIC()
            | (relaxed ? verbs_h.IBV_ACCESS_RELAXED_ORDERING() : 0);
    this.region =
        switch (memory) {
          case RegionMemory.Host host -> host(device, name, host.segment(), access);
          case RegionMemory.Device gpu -> gpu(device, name, gpu, access);
        };
    this.lkey = ibv_mr.lkey(region);
    this.rkey = ibv_mr.rkey(region);
  }

  private static MemorySegment host(Device device, String name, MemorySegment memory, int access) {
    long address = memory.address();
    Native.Result made = Native.regMr(device.domain(), address, memory.byteSize(), access);
    if (made.failed()) {
      String where = failure(device.name(), name, address, memory.byteSize(), access, made.errno());
      throw new VerbsException(where + hostRemedy(made.errno(), MemoryLock.limit()), made.errno());
    }
    return made.pointer();
  }

  private static MemorySegment gpu(
      Device device, String name, RegionMemory.Device memory, int access) {
    GpuPath.Offer offer =
        GpuPath.Offer.of(
            Native.regDmaBuf(device.domain(), 0, 0, 0, -1, 0).errno(),
            GpuPath.loadedModule(Path.of("/sys/module")));
    GpuPath path = GpuPath.choose(device.name(), name, memory, offer);
    long address = memory.address();
    Native.Result made =
        switch (path) {
          case DMA_BUF -> {
            RegionMemory.DmaBuf from = memory.dmaBuf().orElseThrow();
            yield Native.regDmaBuf(
                device.domain(), from.offset(), memory.bytes(), address, from.fd(), access);
          }
          case PEER_MODULE -> Native.regMr(device.domain(), address, memory.bytes(), access);
        };
    if (made.failed()) {
      throw new VerbsException(
          failure(device.name(), name, address, memory.bytes(), access, made.errno())
              + gpuRemedy(path, memory, offer, MemoryLock.limit()),
          made.errno());
    }
    return made.pointer();
  }

  /** What every failed registration says. */
  static String failure(
      String device, String name, long address, long bytes, int access, int errno) {
    return "registering '"
        + name
        + "' with device '"
        + device
        + "' failed: address 0x"
        + Long.toHexString(address)
        + ", "
        + bytes
        + " bytes, access flags 0x"
        + Integer.toHexString(access)
        + ": "
        + Errno.describe(errno)
        + "; ";
  }

  /** What to do where memory of the host was refused. */
  static String hostRemedy(int errno, String limit) {
    return "RLIMIT_MEMLOCK is "
        + limit
        + (errno == ENOMEM
            ? ": raise it (ulimit -l unlimited, or LimitMEMLOCK= of the service) or register less"
            : "; see the kernel's log");
  }

  /** What to do where memory of a GPU was refused. */
  static String gpuRemedy(
      GpuPath path, RegionMemory.Device memory, GpuPath.Offer offer, String limit) {
    return switch (path) {
          case DMA_BUF ->
              "it is a GPU's, by dma-buf "
                  + memory.dmaBuf().map(RegionMemory.DmaBuf::toString).orElse("")
                  + ": is the descriptor open, does address less offset begin a page, does the export"
                  + " cover the size, and is there room in the GPU's BAR1 (nvidia-smi -q -d MEMORY)?";
          case PEER_MODULE ->
              "it is a GPU's, by module "
                  + offer.module().orElse("")
                  + ", which must be of the GPU driver's version and loaded after the adapter's driver;"
                  + " RLIMIT_MEMLOCK is "
                  + limit;
        }
        + " See the kernel's log";
  }

  /** The key for local use. */
  public int lkey() {
    return lkey;
  }

  /** The key for peers. */
  public int rkey() {
    return rkey;
  }

  @Override
  public void close() {
    int busy = verbs_h.ibv_dereg_mr(region);
    assert busy == 0 : "memory region is in use: " + busy;
  }
}
