// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/**
 * How much memory there is to take from. The JVM bounds its heap and its direct buffers, not the
 * memory of closeable arenas, in which buffers live: somebody else must.
 */
public final class MachineMemory {
  private MachineMemory() {}

  /** Half of the bytes of the machine, or of the container if that has fewer. */
  public static long half() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize()
        / 2;
  }
}
