// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jgin.gpu.stub.NeedsStub;
import dev.jgin.gpu.stub.StubLibrary;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Every reason why there is no GPU is a sentence with a remedy, and never a stack trace. */
@ExtendWith(NeedsStub.class)
class UnavailabilityTest {
  private static final String CLASS_PATH = System.getProperty("java.class.path");

  private static final String IN_A_BUNDLE =
      "a bundle has JCuda's library unpacked, and no jar of it";

  @TempDir private Path folder;

  /** A process with this environment, {@code java.library.path} and class path. */
  private static Process start(
      Map<String, String> environment, String libraries, String classPath, Path temporary)
      throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:+UseSerialGC",
            "--enable-native-access=ALL-UNNAMED",
            "-Djava.library.path=" + libraries,
            "-Djava.io.tmpdir=" + temporary,
            "-cp",
            classPath,
            CauseMain.class.getName());
    builder.environment().putAll(environment);
    return builder.redirectErrorStream(true).start();
  }

  private static String output(Process process) throws IOException, InterruptedException {
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), said);
    assertFalse(said.contains("\tat ") || said.contains("Exception"), said);
    return said;
  }

  private String cause(Map<String, String> environment) throws IOException, InterruptedException {
    return output(start(environment, System.getProperty("java.library.path"), CLASS_PATH, folder));
  }

  private static void assertSays(String said, String... words) {
    for (String word : words) {
      assertTrue(said.contains(word), said);
    }
    List<String> lines = said.lines().toList();
    assertTrue(lines.contains("no GPU can be used: " + lines.get(lines.size() - 2)), said);
  }

  @Test
  void shouldBeAvailableWithTheStandIn() throws IOException, InterruptedException {
    assertEquals("available\n", cause(Map.of()));
  }

  @Test
  void shouldExplainAMissingDriver() throws IOException, InterruptedException {
    // A file that is no library stands before any that is installed.
    Path empty = Files.createDirectory(folder.resolve("empty"));
    Files.createFile(empty.resolve("libcuda.so.1"));
    assertSays(
        cause(Map.of("LD_LIBRARY_PATH", empty.toString())),
        "cannot load libcuda.so.1",
        "file too short",
        "NVIDIA driver");
  }

  @Test
  void shouldExplainADriverThatIsTooOld() throws IOException, InterruptedException {
    assertSays(cause(Map.of("STUB_DRIVER", "12080")), "CUDA up to 12.8", "need 13.0", "driver 580");
  }

  @Test
  void shouldExplainAMachineWithoutAGpu() throws IOException, InterruptedException {
    assertSays(cause(Map.of("STUB_DEVICES", "0")), "no GPU", "CUDA_VISIBLE_DEVICES", "nvidia-smi");
    assertSays(
        cause(Map.of("STUB_INIT", "100")), "CUDA_ERROR_NO_DEVICE (100)", "CUDA_VISIBLE_DEVICES");
    assertSays(cause(Map.of("STUB_INIT", "803")), "(803)", "reboot");
    assertSays(cause(Map.of("STUB_INIT", "802")), "(802)", "nvidia-fabricmanager");
  }

  @Test
  void shouldExplainMissingNatives() throws IOException, InterruptedException {
    String without =
        Arrays.stream(CLASS_PATH.split(File.pathSeparator, -1))
            .filter(entry -> !entry.contains("jcuda-natives"))
            .collect(Collectors.joining(File.pathSeparator));
    assertSays(
        output(start(Map.of(), folder.toString(), without, folder)),
        "libJCudaDriver-12.6.0-linux-x86_64.so",
        folder.toString(),
        "-Djava.library.path");
  }

  @Test
  void shouldExplainNativesThatDoNotLoad() throws IOException, InterruptedException {
    Files.createFile(folder.resolve("libJCudaDriver-12.6.0-linux-x86_64.so"));
    String without =
        Arrays.stream(CLASS_PATH.split(File.pathSeparator, -1))
            .filter(entry -> !entry.contains("jcuda-natives"))
            .collect(Collectors.joining(File.pathSeparator));
    assertSays(
        output(start(Map.of(), folder.toString(), without, folder)),
        "does not load: ",
        "file too short");
  }

  @Test
  void shouldUnpackNativesOnceForAllProcesses() throws IOException, InterruptedException {
    assumeTrue(CLASS_PATH.contains("jcuda-natives"), IN_A_BUNDLE);
    List<Process> processes = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      processes.add(start(Map.of(), folder.toString(), CLASS_PATH, folder));
    }
    for (Process process : processes) {
      assertEquals("available\n", output(process));
    }
    Path mine = folder.resolve("jgin-jcuda-" + System.getProperty("user.name"));
    assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(mine)));
    try (var files = Files.list(mine)) {
      assertEquals(
          List.of("libJCudaDriver-12.6.0-linux-x86_64.so"),
          files.map(file -> file.getFileName().toString()).toList());
    }
  }

  @Test
  void shouldNotTakeALibraryOutOfAFolderThatOthersCanWrite() throws IOException {
    assumeTrue(CLASS_PATH.contains("jcuda-natives"), IN_A_BUNDLE);
    Path open =
        Files.createDirectory(folder.resolve("jgin-jcuda-" + System.getProperty("user.name")));
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
    Path used = JcudaLibrary.unpack("libJCudaDriver-12.6.0-linux-x86_64.so", folder);
    assertFalse(used.equals(open), "" + used);
    assertTrue(StubLibrary.folder().isPresent());
  }
}
