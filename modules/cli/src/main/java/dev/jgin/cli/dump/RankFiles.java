// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.dump;

import dev.jgin.cli.npy.NpyType;
import dev.jgin.cli.npy.NpyWriter;
import dev.jgin.moe.DispatchResult;
import dev.jgin.moe.EpConfig;
import dev.jgin.moe.EpStream;
import dev.jgin.moe.ExpertLayout;
import dev.jgin.moe.numeric.DType;
import dev.jgin.moe.numeric.ScaleFormat;
import dev.jgin.moe.plan.Placement;
import dev.jgin.moe.plan.SendPlan;
import dev.jgin.moe.routing.Routing;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongUnaryOperator;

/** The files of one rank in one iteration. Stateless. */
final class RankFiles {
  /** What each file holds; bf16 and fp8 are bit patterns, which NumPy has no types for. */
  static final Map<String, String> LEGEND = new LinkedHashMap<>();

  static {
    LEGEND.put("ids.npy", "[tokens][topk] expert of each lane, -1 for none");
    LEGEND.put("weights.npy", "[tokens][topk] weight of each lane");
    LEGEND.put("tokens.npy", "[tokens][hidden] payload as dispatched, in dtype");
    LEGEND.put("scales.npy", "[tokens][blocks] scales as dispatched; absent without scales");
    LEGEND.put("plan.npy", "[sent rows][3] token, destination rank, slot there");
    LEGEND.put("dispatched.npy", "[rows][hidden] payload as received, in dtype");
    LEGEND.put("dispatched_scales.npy", "[rows][blocks] scales as received");
    LEGEND.put(
        "origins.npy", "[rows][3] source rank, token, lane; -1 for padding; one-row: lane -1");
    LEGEND.put("origin_weights.npy", "expanded: [rows] weight of the lane");
    LEGEND.put(
        "lane_experts.npy", "one-row: [rows][topk] expert of each lane on this rank, else -1");
    LEGEND.put("lane_weights.npy", "one-row: [rows][topk] weights of those lanes, else 0");
    LEGEND.put("expert_offsets.npy", "expanded: [local experts + 1] first row of each, then rows");
    LEGEND.put("expert_rows.npy", "expanded: [local experts] rows without padding");
    LEGEND.put("expert_output.npy", "[rows][hidden] what the experts answered, in combine_dtype");
    LEGEND.put("combined.npy", "[tokens][hidden] what came back, in combine_dtype");
  }

  private final EpConfig config;
  private final Placement placement;

  RankFiles(EpConfig config, Placement placement) {
    this.config = config;
    this.placement = placement;
  }

  void write(Path place, EpStream stream, Routing routing) throws IOException {
    inputs(place, stream, routing);
    DispatchResult result = stream.dispatched();
    long rows = result.rows();
    elements(
        place.resolve("dispatched.npy"),
        rows,
        config.dtype(),
        result.payload(),
        result::payloadOffset);
    scales(place.resolve("dispatched_scales.npy"), rows, result.scales(), result::scalesOffset);
    origins(place, result);
    elements(
        place.resolve("expert_output.npy"),
        rows,
        config.combineDtype(),
        stream.expertOutput(),
        stream::expertOutputOffset);
    elements(
        place.resolve("combined.npy"),
        routing.tokens(),
        config.combineDtype(),
        stream.combined(),
        token -> token * config.combineBytes());
  }

  private void inputs(Path place, EpStream stream, Routing routing) throws IOException {
    int tokens = routing.tokens();
    NpyWriter.write(place.resolve("ids.npy"), routing.idsCopy(), tokens, routing.topK());
    NpyWriter.write(place.resolve("weights.npy"), routing.weightsCopy(), tokens, routing.topK());
    elements(
        place.resolve("tokens.npy"),
        tokens,
        config.dtype(),
        stream.input(),
        token -> stream.inputOffset((int) token));
    scales(
        place.resolve("scales.npy"),
        tokens,
        stream.input(),
        token -> stream.inputScalesOffset((int) token));
    SendPlan plan = new SendPlan(placement, Math.max(1, tokens), routing.topK());
    plan.plan(routing);
    int[] entries = new int[3 * plan.entries()];
    for (int i = 0; i < plan.entries(); i++) {
      entries[3 * i] = plan.token(i);
      entries[3 * i + 1] = plan.rank(i);
      entries[3 * i + 2] = plan.slot(i);
    }
    NpyWriter.write(place.resolve("plan.npy"), entries, plan.entries(), 3);
  }

  private void origins(Path place, DispatchResult result) throws IOException {
    boolean expanded = config.layout() == ExpertLayout.EXPANDED;
    int rows = Math.toIntExact(result.rows());
    int topK = config.topK();
    int[] origins = new int[3 * rows];
    float[] weights = new float[expanded ? rows : Math.multiplyExact(rows, topK)];
    int[] experts = new int[expanded ? 0 : weights.length];
    for (int row = 0; row < rows; row++) {
      origins[3 * row] = result.sourceRank(row);
      origins[3 * row + 1] = result.sourceToken(row);
      origins[3 * row + 2] = expanded ? result.lane(row) : -1;
      if (expanded) {
        weights[row] = result.weight(row);
        continue;
      }
      for (int lane = 0; lane < topK; lane++) {
        int local = result.localExpert(row, lane);
        experts[row * topK + lane] = local < 0 ? -1 : result.firstExpert() + local;
        weights[row * topK + lane] = result.weight(row, lane);
      }
    }
    NpyWriter.write(place.resolve("origins.npy"), origins, rows, 3);
    if (!expanded) {
      NpyWriter.write(place.resolve("lane_experts.npy"), experts, rows, topK);
      NpyWriter.write(place.resolve("lane_weights.npy"), weights, rows, topK);
      return;
    }
    NpyWriter.write(place.resolve("origin_weights.npy"), weights, rows);
    long[] offsets = new long[result.localExperts() + 1];
    long[] counts = new long[result.localExperts()];
    for (int e = 0; e <= counts.length; e++) {
      offsets[e] = result.expertStart(e);
      if (e < counts.length) {
        counts[e] = result.expertRows(e);
      }
    }
    NpyWriter.write(place.resolve("expert_offsets.npy"), offsets, offsets.length);
    NpyWriter.write(place.resolve("expert_rows.npy"), counts, counts.length);
  }

  private void elements(
      Path file, long rows, DType dtype, MemorySegment data, LongUnaryOperator offset)
      throws IOException {
    NpyType type =
        switch (dtype) {
          case BF16 -> NpyType.UINT16;
          case FP16 -> NpyType.FLOAT16;
          case FP32 -> NpyType.FLOAT32;
          case FP8_E4M3 -> NpyType.UINT8;
        };
    rows(file, type, rows, config.hidden(), data, offset);
  }

  private void scales(Path file, long rows, MemorySegment data, LongUnaryOperator offset)
      throws IOException {
    long blocks = ScaleFormat.blocks(config.hidden());
    switch (config.scales()) {
      case NONE -> {}
      case FP32 -> rows(file, NpyType.FLOAT32, rows, blocks, data, offset);
      case UE8M0 -> rows(file, NpyType.UINT8, rows, blocks, data, offset);
    }
  }

  private static void rows(
      Path file,
      NpyType type,
      long rows,
      long columns,
      MemorySegment data,
      LongUnaryOperator offset)
      throws IOException {
    try (NpyWriter writer = new NpyWriter(file, type, rows, columns)) {
      for (long row = 0; row < rows; row++) {
        writer.write(data, offset.applyAsLong(row), columns * type.bytes());
      }
    }
  }
}
