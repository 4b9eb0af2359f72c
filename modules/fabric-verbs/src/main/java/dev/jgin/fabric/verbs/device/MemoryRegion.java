// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.verbs.device;

import dev.jgin.bindings.Errno;
import dev.jgin.bindings.ibverbs.ibv_mr;
import dev.jgin.bindings.ibverbs.verbs_h;
import dev.jgin.fabric.verbs.VerbsException;
import java.lang.foreign.MemorySegment;

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
   */
  public MemoryRegion(Device device, String name, MemorySegment memory, boolean relaxed) {
    int access =
        verbs_h.IBV_ACCESS_LOCAL_WRITE()
            | verbs_h.IBV_ACCESS_REMOTE_WRITE()
            | verbs_h.IBV_ACCESS_REMOTE_READ()
            | verbs_h.IBV_ACCESS_REMOTE_ATOMIC()
            | (relaxed ? verbs_h.IBV_ACCESS_RELAXED_ORDERING() : 0);
    Native.Result made = Native.regMr(device.domain(), memory, access);
    if (made.failed()) {
      throw new VerbsException(
          failure(device.name(), name, memory, access, made.errno(), MemoryLock.limit()),
          made.errno());
    }
    this.region = made.pointer();
    this.lkey = ibv_mr.lkey(region);
    this.rkey = ibv_mr.rkey(region);
  }

  /** The message of a failed registration. */
  static String failure(
      String device, String name, MemorySegment memory, int access, int errno, String limit) {
    return "registering '"
        + name
        + "' with device '"
        + device
        + "' failed: address 0x"
        + Long.toHexString(memory.address())
        + ", "
        + memory.byteSize()
        + " bytes, access flags 0x"
        + Integer.toHexString(access)
        + ": "
        + Errno.describe(errno)
        + "; RLIMIT_MEMLOCK is "
        + limit
        + (errno == ENOMEM
            ? ": raise it (ulimit -l unlimited, or LimitMEMLOCK= of the service) or register less"
            : "; see the kernel's log");
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
