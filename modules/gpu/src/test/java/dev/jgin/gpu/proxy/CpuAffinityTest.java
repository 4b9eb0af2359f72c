// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gpu.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class CpuAffinityTest {
  private static final Path STATUS = Path.of("/proc/thread-self/status");

  private static String allowed() throws IOException {
    return Files.readAllLines(STATUS).stream()
        .filter(line -> line.startsWith("Cpus_allowed_list:"))
        .map(line -> line.substring(line.indexOf(':') + 1).strip())
        .findFirst()
        .orElseThrow();
  }

  /** On a thread that ends with the test: an affinity stays. */
  private static <T> T onOwnThread(Callable<T> call) throws Exception {
    FutureTask<T> task = new FutureTask<>(call);
    Thread.ofPlatform().start(task);
    return task.get();
  }

  @Test
  void shouldBindTheCallingThreadAlone() throws Exception {
    String before = allowed();
    int first = Integer.parseInt(before.split("[-,]", 2)[0]);
    String bound =
        onOwnThread(() -> {
          assertEquals(true, CpuAffinity.bind(first));
          return allowed();
        });
    assertEquals(Integer.toString(first), bound);
    assertEquals(before, allowed());
  }

  @Test
  void shouldSayThatItCannot() throws Exception {
    assertFalse(onOwnThread(() -> CpuAffinity.bind(-1)));
    assertFalse(onOwnThread(() -> CpuAffinity.bind(1_000_000)));
    assertFalse(onOwnThread(() -> CpuAffinity.bind(1023)));
  }
}
