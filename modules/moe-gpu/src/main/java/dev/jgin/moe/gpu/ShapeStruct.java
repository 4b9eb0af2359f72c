// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.gpu;

import dev.jgin.bindings.abi.abi_h;
import dev.jgin.bindings.abi.jgin_count_header;
import dev.jgin.bindings.abi.jgin_return_header;
import dev.jgin.bindings.abi.jgin_row_header;
import dev.jgin.bindings.abi.jgin_shape;
import dev.jgin.gin.BarrierProtocol;
import dev.jgin.moe.EpConfig;
import dev.jgin.moe.EpSizes;
import dev.jgin.moe.check.Check;
import dev.jgin.moe.numeric.DType;
import dev.jgin.moe.plan.Placement;
import java.lang.foreign.MemorySegment;

/**
 * Fills in {@code jgin_shape}: every size and stride that follows from a configuration.
 *
 * <p>Source of the rules: the comments of {@code abi.h}, and {@code jgin::complete} of layout.h,
 * which a test holds this against.
 */
final class ShapeStruct {
  private static final long PART = abi_h.JGIN_PART();
  private static final long LINE = abi_h.JGIN_LINE();

  /**
   * Said at JGIN_MAX_ROW_BYTES: where the dispatch kernel quantises, both stand in shared memory.
   */
  private static final long MAX_QUANTISED_BYTES = 204_800;

  private ShapeStruct() {}

  /**
   * Refuses what kernels cannot do.
   *
   * @throws IllegalArgumentException naming value, limit and remedy
   */
  static void require(EpConfig config, DType input, int ranks, int contexts) {
    if (config.barrier() == BarrierProtocol.ORDER_FREE) {
      throw new IllegalArgumentException(
          "barrier ORDER_FREE on a GPU: kernels write rows without a tag in each line, so that"
              + " nothing but a barrier can tell whether one is whole; use FAN_IN_ALL_CONTEXTS");
    }
    requireAtMost("ranks", ranks, abi_h.JGIN_MAX_RANKS(), "use fewer ranks");
    requireAtMost("contexts", contexts, abi_h.JGIN_MAX_CONTEXTS(), "open fewer contexts");
    requireAtMost("streams", config.streams(), abi_h.JGIN_MAX_STREAMS(), "use fewer streams");
    requireAtMost(
        "maxTokensPerRank",
        config.maxTokensPerRank(),
        abi_h.JGIN_MAX_TOKENS(),
        "dispatch in several batches");
    if (input != config.dtype() && (config.dtype() != DType.FP8_E4M3 || input == DType.FP8_E4M3)) {
      throw new IllegalArgumentException(
          "tokens of "
              + input.cliName()
              + " and rows of "
              + config.dtype().cliName()
              + ": the dispatch kernel converts to fp8 alone; make both the same");
    }
    long most = abi_h.JGIN_MAX_ROW_BYTES();
    String remedy = "lower hidden, or use a smaller type";
    requireAtMost("bytes of a dispatched row", rowBytes(config), most, remedy);
    requireAtMost("bytes of a returned row", returnBytes(config), most, remedy);
    if (input != config.dtype()) {
      requireAtMost(
          "bytes of a row and its tokens before quantising",
          up(rowBytes(config), LINE) + input.bytes(config.hidden()),
          MAX_QUANTISED_BYTES,
          remedy);
    }
  }

  private static void requireAtMost(String what, long value, long most, String remedy) {
    if (value > most) {
      throw new IllegalArgumentException(
          what + " = " + value + ": kernels can do " + most + " at most; " + remedy);
    }
  }

  /** What changes from rank to rank and stream to stream. */
  record Place(int rank, int ranks, int contexts, int stream) {}

  /** Fills in {@code shape}. */
  static void fill(MemorySegment shape, EpConfig config, EpSizes sizes, DType input, Place place) {
    Placement placement = sizes.placement();
    jgin_shape.abi_version(shape, abi_h.JGIN_ABI_VERSION());
    jgin_shape.rank(shape, place.rank());
    jgin_shape.ranks(shape, place.ranks());
    jgin_shape.stream(shape, place.stream());
    jgin_shape.experts(shape, config.experts());
    jgin_shape.first_expert(shape, placement.firstExpert(place.rank()));
    jgin_shape.local_experts(shape, placement.localExperts(place.rank()));
    jgin_shape.max_local_experts(shape, placement.maxLocalExperts());
    jgin_shape.top_k(shape, config.topK());
    jgin_shape.lanes(shape, sizes.lanes());
    jgin_shape.max_tokens(shape, config.maxTokensPerRank());
    jgin_shape.hidden(shape, config.hidden());
    jgin_shape.dtype(shape, AbiNumbers.of(config.dtype()));
    jgin_shape.scale_format(shape, AbiNumbers.of(config.scales()));
    jgin_shape.input_dtype(shape, AbiNumbers.of(input));
    jgin_shape.combine_dtype(shape, AbiNumbers.of(config.combineDtype()));
    jgin_shape.layout(shape, AbiNumbers.of(config.layout()));
    jgin_shape.combine_mode(shape, AbiNumbers.of(config.combine()));
    jgin_shape.expert_alignment(shape, config.expertAlignment());
    jgin_shape.contexts(shape, place.contexts());
    jgin_shape.checks(shape, checks(config));
    jgin_shape.audit(shape, config.audit() ? 1 : 0);
    jgin_shape.expert_rows(shape, sizes.expertRows());
    jgin_shape.received_rows(shape, sizes.receivedRows());
    jgin_shape.timeout_nanos(shape, config.timeoutNanos());
    fillBytes(shape, config, placement, input);
  }

  private static void fillBytes(
      MemorySegment shape, EpConfig config, Placement placement, DType input) {
    jgin_shape.input_bytes(shape, input.bytes(config.hidden()));
    jgin_shape.payload_bytes(shape, config.payloadBytes());
    jgin_shape.scale_bytes(shape, config.scaleBytes());
    jgin_shape.combine_bytes(shape, config.combineBytes());
    jgin_shape.payload_at(shape, payloadAt(config));
    jgin_shape.scales_at(shape, payloadAt(config) + config.payloadBytes());
    jgin_shape.row_bytes(shape, rowBytes(config));
    jgin_shape.row_stride(shape, up(rowBytes(config), LINE));
    jgin_shape.return_bytes(shape, returnBytes(config));
    jgin_shape.return_stride(shape, up(returnBytes(config), LINE));
    long countBytes = up(jgin_count_header.sizeof() + 4L * placement.maxLocalExperts(), PART);
    jgin_shape.count_bytes(shape, countBytes);
    jgin_shape.count_stride(shape, up(countBytes, LINE));
  }

  private static int checks(EpConfig config) {
    int bits = 0;
    for (Check check : config.checks()) {
      bits |= 1 << AbiNumbers.of(check);
    }
    return bits;
  }

  // Ids, weights and places stand in front: the host engine's rows have no places.
  private static long payloadAt(EpConfig config) {
    return up(jgin_row_header.sizeof() + 12L * config.topK(), PART);
  }

  private static long rowBytes(EpConfig config) {
    return up(payloadAt(config) + config.payloadBytes() + config.scaleBytes(), PART);
  }

  private static long returnBytes(EpConfig config) {
    return jgin_return_header.sizeof() + config.combineBytes();
  }

  static long up(long bytes, long alignment) {
    return Math.ceilDiv(bytes, alignment) * alignment;
  }
}
