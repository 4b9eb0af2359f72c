// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.jgin.gin.BarrierProtocol;
import dev.jgin.gin.Communicator;
import dev.jgin.gin.CommunicatorOptions;
import dev.jgin.gin.LocalWorld;
import dev.jgin.gin.spi.FabricSpec;
import dev.jgin.moe.numeric.DType;
import dev.jgin.moe.numeric.ScaleFormat;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StreamBuffersTest {
  private static final int RANKS = 3;
  private static final int STREAMS = 2;

  @ParameterizedTest
  @CsvSource({
    "EXPANDED,CANONICAL,FAN_IN_ALL_CONTEXTS,0",
    "EXPANDED,REDUCED,FAN_IN_ALL_CONTEXTS,0",
    "EXPANDED,REDUCED,FAN_IN_ALL_CONTEXTS,9",
    "ONE_ROW_PER_TOKEN,REDUCED,FAN_IN_ALL_CONTEXTS,0",
    "EXPANDED,CANONICAL,ORDER_FREE,0",
    "EXPANDED,REDUCED,ORDER_FREE,0",
    "ONE_ROW_PER_TOKEN,REDUCED,ORDER_FREE,0"
  })
  void shouldHoldWhatTheFormulaSays(
      ExpertLayout layout, CombineMode combine, BarrierProtocol barrier, long maxExpertRows) {
    EpConfig config =
        EpConfig.builder(10, 4, 144)
            .dtype(DType.FP8_E4M3)
            .scales(ScaleFormat.UE8M0)
            .maxTokensPerRank(7)
            .layout(layout)
            .combine(combine)
            .barrier(barrier)
            .streams(STREAMS)
            .maxExpertRows(maxExpertRows)
            .build();
    try (LocalWorld world =
        LocalWorld.open(
            FabricSpec.parse("emulated:granule=64", 1, 1), RANKS, CommunicatorOptions.defaults())) {
      List<Long> differences = world.onEachRank(comm -> difference(comm, config));
      assertEquals(List.of(0L, 0L, 0L), differences);
    }
  }

  private static long difference(Communicator comm, EpConfig config) {
    Geometry geometry = Geometry.of(config, comm.rank(), RANKS, 64);
    try (Arena arena = Arena.ofConfined()) {
      StreamBuffers buffers = new StreamBuffers(comm, geometry, 0, arena);
      // By address: several names may stand for the same memory.
      Map<Long, Long> bytes = new LinkedHashMap<>();
      for (MemorySegment segment :
          List.of(
              buffers.sendRows.local(),
              buffers.receiveRows.local(),
              buffers.sendCounts.local(),
              buffers.receiveCounts.local(),
              buffers.sendReturns.local(),
              buffers.receiveReturns.local(),
              buffers.rawRows,
              buffers.rawReturns,
              buffers.expertOutput,
              buffers.expertPayload,
              buffers.expertScales,
              buffers.output)) {
        bytes.put(segment.address(), segment.byteSize());
      }
      long held = bytes.values().stream().mapToLong(Long::longValue).sum();
      return held * STREAMS - geometry.buffers(7).totalBytes();
    }
  }
}
