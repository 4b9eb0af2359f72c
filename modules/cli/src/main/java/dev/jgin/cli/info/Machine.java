// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.info;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/**
 * Versions, and what there is to run on.
 *
 * @param jgin version of jgin
 * @param java version of the JVM
 * @param vendor who built the JVM
 * @param javaHome folder of the JVM
 * @param os for example {@code Linux}
 * @param kernel release of the kernel
 * @param arch as the JVM calls it: {@code amd64}
 * @param processors that this process may use
 * @param memoryBytes of the machine, or of the container if that has fewer
 * @param heapBytes most bytes of the JVM's heap; windows and rows live outside it
 */
public record Machine(
    String jgin,
    String java,
    String vendor,
    String javaHome,
    String os,
    String kernel,
    String arch,
    int processors,
    long memoryBytes,
    long heapBytes) {

  /** This machine. */
  public static Machine here(String jgin) {
    return new Machine(
        jgin,
        Runtime.version().toString(),
        System.getProperty("java.vendor"),
        System.getProperty("java.home"),
        System.getProperty("os.name"),
        System.getProperty("os.version"),
        System.getProperty("os.arch"),
        Runtime.getRuntime().availableProcessors(),
        ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize(),
        Runtime.getRuntime().maxMemory());
  }
}
