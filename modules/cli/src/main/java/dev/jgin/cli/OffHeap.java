// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;

/** How much memory outside the heap this JVM gives out. */
final class OffHeap {
  private OffHeap() {}

  /** Bytes, as {@code -XX:MaxDirectMemorySize} says; by default as much as the largest heap. */
  static long limit() {
    HotSpotDiagnosticMXBean jvm =
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
    long stated = Long.parseLong(jvm.getVMOption("MaxDirectMemorySize").getValue());
    return stated == 0 ? Runtime.getRuntime().maxMemory() : stated;
  }
}
