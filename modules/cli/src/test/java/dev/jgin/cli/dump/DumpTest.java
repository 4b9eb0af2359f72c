// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.dump;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.jgin.cli.Command;
import dev.jgin.cli.ExitCode;
import dev.jgin.cli.Main;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchService;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A dump is all there or not there. */
class DumpTest {
  @TempDir private Path folder;

  private List<String> inFolder() throws IOException {
    try (Stream<Path> entries = Files.list(folder)) {
      return entries.map(entry -> entry.getFileName().toString()).toList();
    }
  }

  @Test
  void shouldWriteEveryRankOfEachIterationAskedFor() throws IOException {
    Path dump = folder.resolve("made/dump");
    Command command = Command.moe("--dtype fp8 --dump-iterations 2 --dump " + dump);
    assertEquals(ExitCode.OK, command.code(), command.err());
    JsonNode manifest = new ObjectMapper().readTree(dump.resolve("manifest.json").toFile());
    assertEquals(Manifest.SCHEMA, manifest.get("schema").asText());
    assertEquals(2 * 3, manifest.get("parts").size());
    for (JsonNode part : manifest.get("parts")) {
      Path place = dump.resolve(part.get("folder").asText());
      try (Stream<Path> files = Files.list(place)) {
        List<String> names = files.map(file -> file.getFileName().toString()).sorted().toList();
        assertEquals(
            RankFiles.LEGEND.keySet().stream()
                .filter(n -> !n.startsWith("lane_"))
                .sorted()
                .toList(),
            names);
      }
    }
  }

  @Test
  void shouldBeReadableAsATrace() {
    Path dump = folder.resolve("dump");
    assertEquals(ExitCode.OK, Command.moe("--ranks 1 --dump " + dump).code());
    Path rank = dump.resolve("iteration-0000/rank-0000");
    Command command =
        Command.jgin(
            "moe --hidden 64 --ranks 2 --experts 64 --trace "
                + rank.resolve("ids.npy")
                + " --weights "
                + rank.resolve("weights.npy"));
    assertEquals(ExitCode.OK, command.code(), command.err());
    assertTrue(command.out().contains("4 tokens, top-8 of 64 experts"), command.out());
  }

  @Test
  void shouldLeaveNothingWhenTheRunStops() throws IOException {
    Command command =
        Command.moe("--fabric emulated:adversarial --timeout 1us --dump " + folder.resolve("dump"));
    assertEquals(ExitCode.OTHER, command.code());
    assertEquals(List.of(), inFolder());
  }

  @Test
  void shouldRefuseAFolderThatExistsAndLeaveItAlone() throws IOException {
    Files.writeString(folder.resolve("precious"), "text");
    Command command = Command.moe("--dump " + folder);
    assertEquals(ExitCode.USAGE, command.code());
    assertTrue(command.err().contains(folder.toString()), command.err());
    assertEquals(List.of("precious"), inFolder());
  }

  @Test
  void shouldLeaveNothingWhenTheProcessIsEnded() throws IOException, InterruptedException {
    try (WatchService watch = folder.getFileSystem().newWatchService()) {
      folder.register(watch, StandardWatchEventKinds.ENTRY_CREATE);
      String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
      Process process =
          new ProcessBuilder(
                  java,
                  "-cp",
                  System.getProperty("java.class.path"),
                  Main.class.getName(),
                  "moe",
                  "--ranks=2",
                  "--tokens-per-rank=2",
                  "--hidden=64",
                  "--iterations=1000000",
                  "--dump-iterations=1000000",
                  "--dump=" + folder.resolve("dump"))
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      try {
        assertTrue(watch.poll(60, TimeUnit.SECONDS) != null, "no dump was begun");
        assertTrue(inFolder().getFirst().startsWith(".dump.partial-"), inFolder().toString());
        process.destroy();
        assertTrue(process.waitFor(60, TimeUnit.SECONDS), "the process does not end");
      } finally {
        process.destroyForcibly();
      }
    }
    assertEquals(List.of(), inFolder());
  }
}
