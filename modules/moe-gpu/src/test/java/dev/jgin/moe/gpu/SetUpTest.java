// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.gpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jgin.bindings.abi.abi_h;
import dev.jgin.bindings.abi.jgin_peer;
import dev.jgin.bindings.abi.jgin_plan;
import dev.jgin.bindings.abi.jgin_rank;
import dev.jgin.bindings.abi.jgin_shape;
import dev.jgin.gin.BarrierProtocol;
import dev.jgin.moe.EpConfig;
import dev.jgin.moe.EpSizes;
import dev.jgin.moe.check.Check;
import dev.jgin.moe.check.Symptom;
import dev.jgin.moe.layout.CombineLayout;
import dev.jgin.moe.layout.CountLayout;
import dev.jgin.moe.layout.RowLayout;
import dev.jgin.moe.numeric.DType;
import dev.jgin.moe.numeric.ScaleFormat;
import java.lang.foreign.Arena;
import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SetUpTest {
  private static final int RANKS = 3;
  private static final int CONTEXTS = 4;

  private final Arena arena = Arena.ofAuto();

  private static EpConfig config() {
    return EpConfig.builder(16, 4, 272)
        .dtype(DType.FP8_E4M3)
        .scales(ScaleFormat.UE8M0)
        .maxTokensPerRank(10)
        .expertAlignment(8)
        .without(Check.EPOCH_TAG)
        .build();
  }

  private MemorySegment shape(EpConfig config, DType input, int rank) {
    MemorySegment shape = jgin_shape.allocate(arena);
    ShapeStruct.fill(
        shape,
        config,
        EpSizes.of(config, RANKS),
        input,
        new ShapeStruct.Place(rank, RANKS, CONTEXTS, 2));
    return shape;
  }

  @Test
  void shouldSizeRowsAsTheHostEngineDoesButForTheirPlaces() {
    for (int topK : new int[] {1, 2, 3, 4, 8, 15}) {
      for (DType dtype : DType.values()) {
        ScaleFormat scales = dtype == DType.FP8_E4M3 ? ScaleFormat.FP32 : ScaleFormat.NONE;
        EpConfig config = EpConfig.builder(16, topK, 272).dtype(dtype).scales(scales).build();
        MemorySegment shape = shape(config, dtype, 1);
        // A place is a lane's word, as an id is: a row of half as many lanes again has the room.
        RowLayout host = new RowLayout(topK, config.payloadBytes(), config.scaleBytes());
        long places = (32 + 12L * topK + 15) / 16 * 16 - host.payloadAt();
        assertEquals(host.payloadAt() + places, jgin_shape.payload_at(shape));
        assertEquals(host.scalesAt() + places, jgin_shape.scales_at(shape));
        assertEquals(host.bytes() + places, jgin_shape.row_bytes(shape));
        assertEquals(RowLayout.stride(host.bytes() + places), jgin_shape.row_stride(shape));
        CombineLayout returned = new CombineLayout(config.combineBytes());
        assertEquals(returned.bytes(), jgin_shape.return_bytes(shape));
        assertEquals(RowLayout.stride(returned.bytes()), jgin_shape.return_stride(shape));
        CountLayout count = new CountLayout(6);
        assertEquals(count.bytes(), jgin_shape.count_bytes(shape));
        assertEquals(RowLayout.stride(count.bytes()), jgin_shape.count_stride(shape));
      }
    }
  }

  @Test
  void shouldFillInWhatTheConfigurationSays() {
    MemorySegment shape = shape(config(), DType.BF16, 2);
    assertEquals(abi_h.JGIN_ABI_VERSION(), jgin_shape.abi_version(shape));
    assertEquals(
        List.of(2, RANKS, 2, 16, 10, 6, 6),
        List.of(
            jgin_shape.rank(shape),
            jgin_shape.ranks(shape),
            jgin_shape.stream(shape),
            jgin_shape.experts(shape),
            jgin_shape.first_expert(shape),
            jgin_shape.local_experts(shape),
            jgin_shape.max_local_experts(shape)));
    assertEquals(abi_h.JGIN_FP8_E4M3(), jgin_shape.dtype(shape));
    assertEquals(abi_h.JGIN_SCALE_UE8M0(), jgin_shape.scale_format(shape));
    assertEquals(abi_h.JGIN_BF16(), jgin_shape.input_dtype(shape));
    assertEquals(abi_h.JGIN_BF16(), jgin_shape.combine_dtype(shape));
    assertEquals(544, jgin_shape.input_bytes(shape));
    assertEquals(272, jgin_shape.payload_bytes(shape));
    assertEquals(3, jgin_shape.scale_bytes(shape));
    assertEquals(4, jgin_shape.lanes(shape));
    // 3 ranks x 10 tokens x 4 lanes, and 6 experts' padding of 7 rows.
    assertEquals(162, jgin_shape.expert_rows(shape));
    assertEquals(30, jgin_shape.received_rows(shape));
    int all = (1 << abi_h.JGIN_CHECKS()) - 1;
    assertEquals(all & ~(1 << abi_h.JGIN_CHECK_EPOCH_TAG()), jgin_shape.checks(shape));
  }

  @Test
  void shouldNumberChecksAndSymptomsBothWays() {
    assertEquals(abi_h.JGIN_CHECKS(), Check.values().length);
    for (Check check : Check.values()) {
      assertEquals(check, AbiNumbers.check(AbiNumbers.of(check)));
    }
    for (Symptom symptom : Symptom.values()) {
      assertEquals(symptom, AbiNumbers.symptom(AbiNumbers.of(symptom)));
    }
    assertThrows(IllegalStateException.class, () -> AbiNumbers.check(-1));
    assertThrows(IllegalStateException.class, () -> AbiNumbers.symptom(6));
  }

  @Test
  void shouldPlaceAllMemoryWithoutOverlapAndAligned() {
    MemorySegment shape = shape(config(), DType.FP8_E4M3, 0);
    RankMemory memory = new RankMemory(shape, 5);
    MemorySegment rank = jgin_rank.allocate(arena);
    MemorySegment self = jgin_peer.allocate(arena);
    long base = 0x7f00_0000_0000L;
    memory.fill(rank, self, base);
    long rows = 2L * RANKS * 10 * jgin_shape.row_stride(shape);
    assertTrue(jgin_peer.local_counts(self) >= jgin_peer.local_rows(self) + rows);
    List<Long> addresses = new ArrayList<>();
    for (MemoryLayout member : jgin_rank.layout().memberLayouts()) {
      String name = member.name().orElse("");
      long value = address(rank, jgin_rank.layout(), name, member);
      boolean none =
          List.of(
                  "report",
                  "abort_word",
                  "send_rows",
                  "send_counts",
                  "send_returns",
                  "rings",
                  "proxy_words")
              .contains(name);
      if (member instanceof ValueLayout.OfLong) {
        assertEquals(none, value == 0, name);
        if (!none) {
          addresses.add(value);
        }
      }
    }
    addresses.addAll(
        List.of(
            jgin_peer.local_rows(self),
            jgin_peer.local_counts(self),
            jgin_peer.local_returns(self)));
    assertEquals(addresses.stream().distinct().count(), addresses.size());
    for (long address : addresses) {
      assertEquals(0, address % abi_h.JGIN_LINE());
      assertTrue(address >= base && address < base + memory.bytes());
    }
    long returns = 2L * 10 * 4 * jgin_shape.return_stride(shape);
    assertTrue(jgin_peer.local_returns(self) + returns <= base + memory.bytes());
  }

  private static long address(
      MemorySegment struct, GroupLayout layout, String name, MemoryLayout member) {
    return member instanceof ValueLayout.OfLong word
        ? struct.get(word, layout.byteOffset(MemoryLayout.PathElement.groupElement(name)))
        : 0;
  }

  @Test
  void shouldGivePlansRoomForTheirInputInFront() {
    MemorySegment shape = shape(config(), DType.FP8_E4M3, 0);
    PlanMemory memory = new PlanMemory(shape);
    MemorySegment plan = jgin_plan.allocate(arena);
    memory.fill(plan, 1 << 20);
    assertEquals((1 << 20) + memory.idsAt, jgin_plan.input_ids(plan));
    assertEquals((1 << 20) + memory.weightsAt, jgin_plan.input_weights(plan));
    assertTrue(memory.weightsAt >= memory.idsAt + 4 * 10 * 4);
    assertTrue(memory.inputBytes >= memory.weightsAt + 4 * 10 * 4);
    assertTrue(jgin_plan.tokens(plan) >= (1 << 20) + memory.inputBytes);
    for (MemoryLayout member : jgin_plan.layout().memberLayouts()) {
      assertTrue(address(plan, jgin_plan.layout(), member.name().orElseThrow(), member) > 0);
    }
  }

  @Test
  void shouldGiveEachPeerTheOthersWindows() {
    List<PeerTable.Windows> all = new ArrayList<>();
    for (int r = 0; r < RANKS; r++) {
      MemorySegment self = jgin_peer.allocate(arena);
      jgin_peer.local_rows(self, 100 + r);
      jgin_peer.local_counts(self, 200 + r);
      jgin_peer.local_returns(self, 300 + r);
      MemorySegment rank = jgin_rank.allocate(arena);
      jgin_rank.signals(rank, 400 + r);
      all.add(new PeerTable.Windows(self, rank));
    }
    MemorySegment peers = PeerTable.of(all.get(1), all, arena);
    for (int p = 0; p < RANKS; p++) {
      MemorySegment peer = jgin_peer.asSlice(peers, p);
      assertEquals(abi_h.JGIN_PEER_NVLINK(), jgin_peer.kind(peer));
      assertEquals(
          List.of(100L + p, 200L + p, 300L + p, 400L + p, 101L, 201L, 301L),
          List.of(
              jgin_peer.remote_rows(peer),
              jgin_peer.remote_counts(peer),
              jgin_peer.remote_returns(peer),
              jgin_peer.remote_signals(peer),
              jgin_peer.local_rows(peer),
              jgin_peer.local_counts(peer),
              jgin_peer.local_returns(peer)));
    }
  }

  @Test
  void shouldRefuseWhatKernelsCannotDo() {
    EpConfig plain = EpConfig.builder(16, 4, 256).build();
    ShapeStruct.require(plain, DType.BF16, 8, 4);
    refused(
        "ORDER_FREE",
        EpConfig.builder(16, 4, 256).barrier(BarrierProtocol.ORDER_FREE).build(),
        DType.BF16,
        4);
    refused("contexts = 33: kernels can do 32 at most", plain, DType.BF16, 33);
    refused("tokens of fp32 and rows of bf16", plain, DType.FP32, 4);
    refused(
        "bytes of a dispatched row = 98400", EpConfig.builder(16, 4, 49160).build(), DType.BF16, 4);
    refused(
        "maxTokensPerRank = 1048577",
        EpConfig.builder(16, 4, 256).maxTokensPerRank(1048577).build(),
        DType.BF16,
        4);
  }

  private static void refused(String words, EpConfig config, DType input, int contexts) {
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class, () -> ShapeStruct.require(config, input, 8, contexts));
    assertTrue(e.getMessage().contains(words), e::getMessage);
  }

  @Test
  void shouldSaturateBeyondEveryBudget() {
    Slab slab = new Slab();
    slab.add(jgin_rank::payload, Long.MAX_VALUE - 10);
    assertTrue(slab.bytes() > Long.MAX_VALUE / 2);
    assertThrows(IllegalArgumentException.class, () -> new Slab().add(jgin_rank::payload, -1));
  }
}
