// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.trace;

import dev.jgin.moe.routing.Routing;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;

/**
 * Reads router logs, one JSON object per line, in the two shapes in use:
 *
 * <pre>
 * {"model": .., "experts": 64, "top_k": 8}                                          optional, first
 * {"layer": 0, "token": 0, "topk_ids": [..], "topk_weights": [..]}
 *
 * {"type": "meta", "model_id": .., "layers_logged": [0], "top_k": 4}                logging patches
 * {"type": "route", "req_id": .., "token_idx": 17, "layer": 0, "topk_ids": [..], ..}      of vLLM
 * </pre>
 *
 * <p>Tokens are taken in the order of the file; token numbers are checked to be numbers and are not
 * otherwise used, as they restart with each request. Records of another {@code type} are counted
 * and left out. Blank lines are skipped.
 */
final class JsonlTraceReader {
  private final String file;
  private final TraceOptions options;
  private final BoundedLines lines;
  private final LogLineParser parser = new LogLineParser();
  private final LogRecord record = new LogRecord();
  private final LaneStore store;
  private final Map<String, Long> ignored = new TreeMap<>();

  private OptionalInt experts;
  private OptionalInt layer;
  private Optional<String> model = Optional.empty();
  private long topK = -1;
  private long otherLayers;

  JsonlTraceReader(InputStream in, String file, TraceOptions options) {
    this.file = file;
    this.options = options;
    this.lines = new BoundedLines(in, file, options.maxLineBytes());
    this.store = new LaneStore(options.maxTokens());
    this.experts = options.experts();
    this.layer = options.layer();
  }

  Trace read() throws IOException {
    boolean first = true;
    for (String line = lines.next(); line != null; line = lines.next()) {
      if (line.isBlank()) {
        continue;
      }
      parser.parse(line, file, lines.number(), record);
      take(first);
      first = false;
    }
    if (first) {
      throw new TraceException(file, "is empty; a log has one JSON record per line");
    }
    return finish();
  }

  private void take(boolean first) throws TraceException {
    if (record.isMeta(first)) {
      failOn(record.problem);
      takeMeta();
    } else if (record.isRoute()) {
      failOn(record.problem);
      takeRoute();
    } else if (record.type != null) {
      ignored.merge(record.type, 1L, Long::sum);
      if (ignored.size() > MAX_TYPES) {
        failOn("more than " + MAX_TYPES + " types of records; is this a router log?");
      }
    } else {
      failOn(record.problem == null ? missing("topk_ids") : record.problem);
    }
  }

  private static final int MAX_TYPES = 1000;

  private void takeMeta() throws TraceException {
    if (record.model != null) {
      model = Optional.of(record.model);
    }
    if (record.topK >= 0) {
      topK = record.topK;
    }
    if (record.experts >= 0) {
      takeExperts();
    }
  }

  private void takeExperts() throws TraceException {
    int stated = (int) record.experts;
    if (stated < 1 || stated > Routing.MAX_EXPERTS) {
      failOn("experts is " + stated + ", need 1 to " + Routing.MAX_EXPERTS);
    }
    if (options.experts().isPresent() && options.experts().getAsInt() != stated) {
      failOn(
          "experts is "
              + stated
              + ", but "
              + options.experts().getAsInt()
              + " were asked for; leave that option out");
    }
    experts = OptionalInt.of(stated);
  }

  private void takeRoute() throws TraceException {
    if (record.layer < 0) {
      failOn(missing("layer"));
    }
    if (record.token < 0) {
      failOn(missing("token (or token_idx)"));
    }
    if (record.idCount < 0) {
      failOn(missing("topk_ids"));
    }
    if (record.weightCount < 0) {
      failOn(missing("topk_weights"));
    }
    if (record.idCount != record.weightCount) {
      failOn(
          record.idCount
              + " topk_ids but "
              + record.weightCount
              + " topk_weights; each lane needs"
              + " one of both");
    }
    if (layer.isEmpty()) {
      layer = OptionalInt.of((int) record.layer);
    } else if (layer.getAsInt() != record.layer) {
      if (options.layer().isEmpty()) {
        failOn(
            "layer is "
                + record.layer
                + " after records of layer "
                + layer.getAsInt()
                + "; choose one of them with the layer option");
      }
      otherLayers++;
      return;
    }
    if (topK >= 0 && record.idCount != topK) {
      failOn(
          "top-"
              + record.idCount
              + ", but the log's first line says top_k "
              + topK
              + "; every token needs that many, with -1 for lanes that are not used");
    }
    failOn(store.add(record.ids, record.weights, record.idCount, experts));
  }

  private Trace finish() throws TraceException {
    if (store.tokens() == 0) {
      throw new TraceException(
          file,
          options.layer().isPresent()
              ? "no record of layer "
                  + options.layer().getAsInt()
                  + " among "
                  + otherLayers
                  + " records of other layers"
              : "has no route records; need lines with layer, token, topk_ids and topk_weights");
    }
    int count = experts.orElse(store.fewestExperts());
    String complaint = store.complaintAbout(count);
    if (complaint != null) {
      throw new TraceException(file, complaint);
    }
    return new Trace(
        file, store.routing(count), model, layer, otherLayers, ignored, experts.isEmpty(), false);
  }

  private void failOn(String problem) throws TraceException {
    if (problem != null) {
      throw new TraceException(file, lines.number(), problem);
    }
  }

  private static String missing(String field) {
    return "the record has no "
        + field
        + "; need layer, token, topk_ids and topk_weights in each record";
  }
}
