// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Logs of real routers, which are not in the repository: in the folder that the system property or
 * environment variable JGIN_ROUTING_DIR names, or in ../shared/data/routing beside the repository.
 */
class RealLogsTest {
  @ParameterizedTest
  @CsvSource({
    "olmoe-1b-7b-layer0, 64, 8",
    "olmoe-1b-7b-layer0-warmup, 64, 8",
    "qwen1.5-moe-a2.7b-layer0, 60, 4",
    "qwen1.5-moe-a2.7b-layer0-warmup, 60, 4"
  })
  void shouldReadEveryToken(String name, int experts, int topK) throws IOException {
    Path file = folder().resolve(name + ".jsonl");
    Trace trace = TraceReader.read(file, TraceOptions.defaults());
    List<String> lines = Files.readAllLines(file);
    assertEquals(lines.size() - 1, trace.routing().tokens(), "all lines but the first");
    assertEquals(experts, trace.routing().experts());
    assertEquals(topK, trace.routing().topK());
    assertFalse(trace.expertsGuessed());
    for (int t = 0; t < trace.routing().tokens(); t++) {
      // An independent reading of the ids: the text between the brackets.
      String line = lines.get(t + 1);
      int from = line.indexOf('[', line.indexOf("topk_ids")) + 1;
      String[] ids = line.substring(from, line.indexOf(']', from)).split(",", -1);
      for (int k = 0; k < topK; k++) {
        assertEquals(Integer.parseInt(ids[k].strip()), trace.routing().id(t, k));
      }
    }
    long used = Arrays.stream(trace.routing().loads()).filter(load -> load > 0).count();
    assertTrue(name.endsWith("warmup") ? used == topK : used > topK, used + " experts used");
  }

  private static Path folder() {
    String named = System.getProperty("JGIN_ROUTING_DIR", System.getenv("JGIN_ROUTING_DIR"));
    if (named != null) {
      return Path.of(named);
    }
    Path here = Path.of("").toAbsolutePath();
    Path found =
        Stream.iterate(here, folder -> folder != null, Path::getParent)
            .map(folder -> folder.resolve("../shared/data/routing").normalize())
            .filter(Files::isDirectory)
            .findFirst()
            .orElse(here);
    assumeTrue(Files.isRegularFile(found.resolve("olmoe-1b-7b-layer0.jsonl")), "no real logs");
    return found;
  }
}
