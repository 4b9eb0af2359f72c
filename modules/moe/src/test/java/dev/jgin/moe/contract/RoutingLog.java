// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.contract;

import dev.jgin.moe.routing.HotRouting;
import dev.jgin.moe.routing.Routing;
import dev.jgin.moe.routing.ZipfRouting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * A routing to replay, from a router's log where there is one.
 *
 * <p>Logs are looked for in {@code JGIN_ROUTING_DIR} (environment or system property) and in {@code
 * ../shared/data/routing} beside the repository. Without them two made-up routings stand in, and
 * say so in their name.
 */
record RoutingLog(String name, Routing routing) {
  private static final String DIR = "JGIN_ROUTING_DIR";
  private static final int HIDDEN = 64;
  private static final int EPOCHS = 6;

  static List<RoutingLog> available() {
    Path dir = directory();
    if (dir == null) {
      note("the suite of the expert-parallel engines: made-up routing instead of logs");
      return List.of(
          new RoutingLog("made up, hot", new HotRouting(60, 4).generate(256, 1)),
          new RoutingLog("made up, zipf", new ZipfRouting(64, 8, 1.2).generate(2048, 1)));
    }
    try (Stream<Path> files = Files.list(dir)) {
      return files
          .filter(file -> file.toString().endsWith(".jsonl"))
          .sorted()
          .map(RoutingLog::read)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The log over {@code ranks} ranks, read on round and round. */
  EpCase onRanks(Carrier carrier, int ranks) {
    int tokens = Math.clamp(routing.tokens() / ranks / EPOCHS, 1, 48);
    EpCase test =
        CaseBuilder.on(carrier)
            .world(ranks, 4)
            .experts(routing.experts(), routing.topK())
            .hidden(HIDDEN)
            .tokens(BatchKind.UNIFORM, tokens)
            .epochs(EPOCHS, 1)
            .build();
    return test.with(
        new GlobalBatches(test.shape(), epoch -> routing.window(epoch - 1, tokens * ranks)));
  }

  @Override
  public String toString() {
    return name + ": " + routing;
  }

  /** Tells scripts/test, which lists at its end what it did not read. */
  private static void note(String what) {
    String notes = System.getenv("JGIN_NOTES");
    if (notes != null) {
      try {
        Files.writeString(Path.of(notes), what + "\n", StandardOpenOption.APPEND);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private static Path directory() {
    String named = System.getProperty(DIR, System.getenv(DIR));
    if (named != null) {
      return Path.of(named);
    }
    return Stream.iterate(Path.of("").toAbsolutePath(), Objects::nonNull, Path::getParent)
        .map(at -> at.resolve("../shared/data/routing").normalize())
        .filter(Files::isDirectory)
        .findFirst()
        .orElse(null);
  }

  private static RoutingLog read(Path file) {
    List<int[]> ids = new ArrayList<>();
    List<float[]> weights = new ArrayList<>();
    int experts = 0;
    try {
      for (String line : Files.readAllLines(file)) {
        if (line.contains("\"topk_ids\"")) {
          ids.add(Arrays.stream(array(line, "topk_ids")).mapToInt(Integer::parseInt).toArray());
          weights.add(floats(array(line, "topk_weights")));
        } else {
          experts = Integer.parseInt(line.replaceFirst(".*\"experts\": *(\\d+).*", "$1"));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    int topK = ids.getFirst().length;
    float[] all = new float[ids.size() * topK];
    for (int i = 0; i < all.length; i++) {
      all[i] = weights.get(i / topK)[i % topK];
    }
    int[] flat = ids.stream().flatMapToInt(Arrays::stream).toArray();
    return new RoutingLog(file.getFileName().toString(), Routing.of(experts, topK, flat, all));
  }

  private static String[] array(String line, String field) {
    int from = line.indexOf('[', line.indexOf('"' + field + '"'));
    return line.substring(from + 1, line.indexOf(']', from)).split(",\\s*", -1);
  }

  private static float[] floats(String[] texts) {
    float[] values = new float[texts.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = Float.parseFloat(texts[i]);
    }
    return values;
  }
}
