// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gpu.bench;

import dev.jgin.gpu.TestKernels;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The same in C, compiled here if there is a compiler: nvcc, or cc with a toolkit's cuda.h. */
final class Twin implements AutoCloseable {
  private final Path folder;
  private final String problem;

  Twin() throws IOException, InterruptedException {
    folder = Files.createTempDirectory("jgin-twin");
    byte[] text = TestKernels.ptx();
    Files.write(folder.resolve("kernels.ptx"), Arrays.copyOf(text, text.length - 1));
    try (InputStream in = Twin.class.getResourceAsStream("twin.c")) {
      Files.copy(in, folder.resolve("twin.c"));
    }
    problem = compile();
  }

  private String compile() throws InterruptedException {
    String home = System.getenv().getOrDefault("CUDA_HOME", "/usr/local/cuda");
    List<List<String>> ways =
        List.of(
            List.of("nvcc", "-O3", "-o", "twin", "twin.c", "-lcuda"),
            List.of(home + "/bin/nvcc", "-O3", "-o", "twin", "twin.c", "-lcuda"),
            List.of(
                "cc",
                "-O3",
                "-I" + home + "/include",
                "-L" + home + "/lib64/stubs",
                "-o",
                "twin",
                "twin.c",
                "-lcuda"));
    StringBuilder said = new StringBuilder();
    for (List<String> way : ways) {
      try {
        run(way);
        return null;
      } catch (IOException e) {
        said.append(e.getMessage().strip()).append("; ");
      }
    }
    return said.toString();
  }

  /** Why there is none; empty if there is one. */
  Optional<String> problem() {
    return Optional.ofNullable(problem);
  }

  /** One run: nanoseconds by name; empty without a compiler. */
  Map<String, Double> measure() throws IOException, InterruptedException {
    Map<String, Double> nanos = new LinkedHashMap<>();
    if (problem == null) {
      String said =
          run(
              List.of(
                  folder.resolve("twin").toString(),
                  "kernels.ptx",
                  Integer.toString(CallBench.BATCHES),
                  Integer.toString(CallBench.CALLS),
                  Integer.toString(CallBench.ROUNDS)));
      said.lines()
          .map(line -> line.split(" ", 2))
          .forEach(words -> nanos.put(words[0], Double.valueOf(words[1])));
    }
    return nanos;
  }

  private String run(List<String> command) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException(command + " ended with " + process.exitValue() + ": " + said);
    }
    return said;
  }

  @Override
  public void close() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(folder);
  }
}
