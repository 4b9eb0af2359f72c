// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.dump;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.jgin.moe.DispatchResult;
import dev.jgin.moe.EpConfig;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** How to read a dump. Different ranks may add to it at once. */
public final class Manifest {
  /** Name and version of the document. */
  public static final String SCHEMA = "jgin.moe.dump/1";

  private final ObjectNode head;
  private final Map<String, ObjectNode> parts = new TreeMap<>();

  /** A manifest of a run of {@code ranks} ranks. */
  public Manifest(String version, String fabric, String barrier, long seed, int ranks, EpConfig c) {
    head =
        JsonNodeFactory.instance
            .objectNode()
            .put("schema", SCHEMA)
            .put("version", version)
            .put("fabric", fabric)
            .put("barrier", barrier)
            .put("seed", seed)
            .put("ranks", ranks)
            .put("experts", c.experts())
            .put("topk", c.topK())
            .put("hidden", c.hidden())
            .put("dtype", c.dtype().cliName())
            .put("scales", c.scales().name().toLowerCase(Locale.ROOT))
            .put("combine_dtype", c.combineDtype().cliName())
            .put("layout", c.layout().name().toLowerCase(Locale.ROOT))
            .put("align", c.expertAlignment())
            .put("combine", c.combine().name().toLowerCase(Locale.ROOT));
    ObjectNode legend = head.putObject("files");
    RankFiles.LEGEND.forEach(legend::put);
  }

  synchronized void add(int index, int rank, String place, int tokens, DispatchResult result) {
    parts.put(
        place,
        JsonNodeFactory.instance
            .objectNode()
            .put("iteration", index)
            .put("rank", rank)
            .put("folder", place)
            .put("tokens", tokens)
            .put("first_expert", result.firstExpert())
            .put("local_experts", result.localExperts())
            .put("rows", result.rows()));
  }

  synchronized String text() {
    ObjectNode root = head.deepCopy();
    parts.values().forEach(root.putArray("parts")::add);
    try {
      return new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValueAsString(root)
          + "\n";
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a tree of plain values cannot fail to be written", e);
    }
  }
}
