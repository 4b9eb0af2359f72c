// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.trace;

import dev.jgin.cli.npy.NpyArray;
import dev.jgin.cli.npy.NpyReader;
import dev.jgin.cli.npy.NpzReader;
import dev.jgin.moe.routing.Routing;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Reads ids and weights from NumPy arrays of shape (tokens, top-k), or (tokens, layers, top-k) as
 * vLLM returns routed experts. Ids are integers of any size; weights, if given, are floats of the
 * same shape.
 */
final class NumpyTraceReader {
  private static final String IDS = "topk_ids";
  private static final String WEIGHTS = "topk_weights";

  private NumpyTraceReader() {}

  static Trace readNpy(Path idsFile, Optional<Path> weightsFile, TraceOptions options)
      throws IOException {
    NpyArray ids = NpyReader.read(idsFile);
    Optional<NpyArray> weights =
        weightsFile.isPresent() ? Optional.of(NpyReader.read(weightsFile.get())) : Optional.empty();
    return read(idsFile.toString(), ids, weights, options);
  }

  static Trace readNpz(Path file, TraceOptions options) throws IOException {
    Optional<NpyArray> ids = NpzReader.read(file, IDS);
    if (ids.isEmpty()) {
      throw new TraceException(
          file.toString(),
          "has no array "
              + IDS
              + ", only "
              + NpzReader.names(file)
              + "; write it with numpy.savez(file, topk_ids=..., topk_weights=...)");
    }
    return read(file.toString(), ids.get(), NpzReader.read(file, WEIGHTS), options);
  }

  private static Trace read(
      String file, NpyArray ids, Optional<NpyArray> weights, TraceOptions options)
      throws TraceException {
    requireShape(ids, weights, options);
    int dimensions = ids.dimensions();
    OptionalInt layer = dimensions == 3 ? OptionalInt.of(layer(ids, options)) : OptionalInt.empty();
    int topK = (int) ids.extent(dimensions - 1);
    long[] index = new long[dimensions];
    if (layer.isPresent()) {
      index[1] = layer.getAsInt();
    }
    int[] tokenIds = new int[topK];
    float[] tokenWeights = new float[topK];
    LaneStore store = new LaneStore(options.maxTokens());
    for (long t = 0; t < ids.extent(0); t++) {
      index[0] = t;
      for (int k = 0; k < topK; k++) {
        index[dimensions - 1] = k;
        tokenIds[k] = id(ids, index);
        tokenWeights[k] = weights.isPresent() ? weight(weights.get(), index) : 1f / topK;
      }
      String complaint = store.add(tokenIds, tokenWeights, topK, options.experts());
      if (complaint != null) {
        throw new TraceException(ids.source(), "token " + t + ": " + complaint);
      }
    }
    int experts = options.experts().orElse(store.fewestExperts());
    String complaint = store.complaintAbout(experts);
    if (complaint != null) {
      throw new TraceException(ids.source(), complaint);
    }
    return new Trace(
        file,
        store.routing(experts),
        Optional.empty(),
        layer,
        layer.isPresent() ? (ids.extent(1) - 1) * ids.extent(0) : 0,
        Map.of(),
        options.experts().isEmpty(),
        weights.isEmpty());
  }

  private static void requireShape(NpyArray ids, Optional<NpyArray> weights, TraceOptions options)
      throws TraceException {
    int dimensions = ids.dimensions();
    if (!ids.type().isInteger()) {
      throw new TraceException(
          ids.source(), "ids are " + ids.type().code() + ", need integers; convert with astype");
    }
    if (dimensions != 2 && dimensions != 3) {
      throw new TraceException(
          ids.source(),
          "ids have the shape "
              + ids.shapeText()
              + ", need (tokens, top-k) or (tokens, layers, top-k)");
    }
    if (ids.extent(0) == 0) {
      throw new TraceException(ids.source(), "has no tokens: its shape is " + ids.shapeText());
    }
    long topK = ids.extent(dimensions - 1);
    if (topK < 1 || topK > Routing.MAX_TOP_K) {
      throw new TraceException(
          ids.source(),
          "top-" + topK + " by its shape " + ids.shapeText() + ", need 1 to " + Routing.MAX_TOP_K);
    }
    if (ids.extent(0) > options.maxTokens()) {
      throw new TraceException(
          ids.source(),
          ids.extent(0)
              + " tokens by its shape "
              + ids.shapeText()
              + ", the limit is "
              + options.maxTokens());
    }
    if (weights.isPresent()) {
      requireWeights(ids, weights.get());
    }
  }

  private static void requireWeights(NpyArray ids, NpyArray weights) throws TraceException {
    if (weights.type().isInteger()) {
      throw new TraceException(
          weights.source(),
          "weights are " + weights.type().code() + ", need one of f2, f4, f8; convert with astype");
    }
    if (!weights.shapeText().equals(ids.shapeText())) {
      throw new TraceException(
          weights.source(),
          "weights have the shape "
              + weights.shapeText()
              + ", the ids "
              + ids.shapeText()
              + "; need the same");
    }
  }

  private static int layer(NpyArray ids, TraceOptions options) throws TraceException {
    long layers = ids.extent(1);
    if (options.layer().isEmpty() && layers != 1) {
      throw new TraceException(
          ids.source(),
          "has "
              + layers
              + " layers by its shape "
              + ids.shapeText()
              + "; choose one with the layer option");
    }
    int layer = options.layer().orElse(0);
    if (layer >= layers) {
      throw new TraceException(
          ids.source(), "no layer " + layer + ": its shape is " + ids.shapeText());
    }
    return layer;
  }

  private static int id(NpyArray ids, long[] index) throws TraceException {
    long id = ids.longAt(index);
    if (id < Routing.MASKED || id >= Routing.MAX_EXPERTS) {
      throw new TraceException(
          ids.source(), at(index) + " is " + id + ", need -1 to " + (Routing.MAX_EXPERTS - 1));
    }
    return (int) id;
  }

  private static float weight(NpyArray weights, long[] index) throws TraceException {
    float weight = (float) weights.doubleAt(index);
    if (!(weight >= 0 && weight <= Float.MAX_VALUE)) {
      throw new TraceException(
          weights.source(),
          at(index)
              + " is "
              + weights.doubleAt(index)
              + ", need a finite number that is not negative");
    }
    return weight;
  }

  private static String at(long[] index) {
    return "element " + Arrays.toString(index);
  }
}
