// SPDX-License-Identifier: Apache-2.0
// Several ranks on one GPU for the self-test: their memory, launches, and a host thread's part in PROXY.
#pragma once

#include <functional>

#include "gpu.h"
#include "jgin/layout.h"
#include "jgin/ring.h"

namespace selftest {

/// Ranks of one world, one stream, on one GPU. Kinds: which peers are reached by PROXY.
class World {
 public:
  World(jgin_shape shape, int streams_of_ring = 64,
        std::function<bool(uint32_t, uint32_t)> proxied = nullptr)
      : ranks_(shape.ranks) {
    uint64_t limit = shape.expert_rows;
    for (uint32_t r = 0; r < ranks_; r++) {
      shape.rank = r;
      shape.expert_rows = limit;
      jgin::complete(shape);
      launches_.push_back(allocate(shape));
    }
    for (uint32_t r = 0; r < ranks_; r++) connect(r, streams_of_ring, proxied);
  }

  uint32_t ranks() const { return ranks_; }
  jgin_launch& at(uint32_t r) { return launches_[r]; }

  void run(int kernel, int blocks, uint32_t flags = 0) {
    for (uint32_t r = 0; r < ranks_; r++) {
      launches_[r].flags = flags;
      launch(kernel, launches_[r], blocks, nullptr, false);
    }
  }

  void finish() { CHECK(cudaDeviceSynchronize()); }

  /// The host's part of one operation under PROXY: until every ring has brought its ARRIVE.
  void pump(uint32_t op) {
    if (!proxied_) return;
    std::vector<uint64_t> arrived(ranks_, 0), wanted(ranks_, 0), epochs(ranks_, 0);
    for (uint32_t r = 0; r < ranks_; r++) wanted[r] = launches_[r].rank.proxy_peers * contexts();
    uint64_t idle = 0;
    auto all = [&] {
      for (uint32_t r = 0; r < ranks_; r++) if (arrived[r] < wanted[r]) return false;
      return true;
    };
    while (!all()) {
      bool moved = false;
      for (uint32_t r = 0; r < ranks_; r++) {
        for (size_t i = 0; i < rings_[r].size(); i++) {
          if (rings_[r][i].descriptors == 0) continue;
          while (pop(r, i, op, arrived, epochs)) moved = true;
        }
      }
      idle = moved ? 0 : idle + 1;
      if (idle > 200'000'000) {
        std::printf("pump: nothing came\n");
        std::exit(1);
      }
    }
    __sync_synchronize();
    for (uint32_t r = 0; r < ranks_; r++) {
      if (wanted[r] == 0) continue;
      auto* words = reinterpret_cast<jgin_proxy_word*>(launches_[r].rank.proxy_words);
      __atomic_store_n(&words[op].epoch, epochs[r], __ATOMIC_RELEASE);
    }
  }

  uint64_t violations(uint32_t r) {
    return fetch<jgin_violations>(launches_[r].rank.violations, 1)[0].found;
  }
  std::vector<jgin_violation> violation_records(uint32_t r) {
    auto head = fetch<jgin_violations>(launches_[r].rank.violations, 1)[0];
    uint64_t n = head.found < head.capacity ? head.found : head.capacity;
    return fetch<jgin_violation>(launches_[r].rank.violations + sizeof(head), n);
  }
  uint64_t error(uint32_t r) { return fetch<uint64_t>(launches_[r].rank.error_word, 1)[0]; }

 private:
  uint32_t contexts() const { return launches_[0].rank.shape.contexts; }

  jgin_launch allocate(const jgin_shape& s) {
    jgin_launch l = {};
    jgin_rank& r = l.rank;
    r.shape = s;
    Memory& m = memory_;
    uint64_t t = s.max_tokens, k = s.top_k, x = s.expert_rows, v = s.received_rows, n = s.ranks;
    uint64_t pairs = n * s.local_experts;
    r.state = m.device(sizeof(jgin_state));
    r.report = m.pinned(sizeof(jgin_report));
    r.error_word = m.device(8);
    r.abort_word = m.pinned(8);
    r.violations = m.device(sizeof(jgin_violations) + 4096 * sizeof(jgin_violation));
    put<uint64_t>(r.violations, {4096});
    r.peers = m.device(n * sizeof(jgin_peer));
    r.signals = m.device(4 * s.contexts * n * 8);
    r.payload = m.device(t * s.input_bytes, POISON);
    r.scales = m.device(t * s.scale_bytes, POISON);
    r.expert_payload = m.device(x * s.payload_bytes, POISON);
    r.expert_scales = m.device(x * s.scale_bytes, POISON);
    r.row_received = m.device(x * 4, POISON);
    r.row_lane = m.device(x * 4, POISON);
    r.row_weight = m.device(x * 4, POISON);
    r.received_source = m.device(v * 4, POISON);
    r.received_token = m.device(v * 4, POISON);
    r.received_lane = m.device(v * 4, POISON);
    r.received_ordinal = m.device(v * 4, POISON);
    r.received_expert = m.device(v * k * 4, POISON);
    r.received_row = m.device(v * k * 4, POISON);
    r.received_weight = m.device(v * k * 4, POISON);
    r.row_stamp = m.device(x * 4);
    r.placed = m.device(pairs * 4);
    r.source_failed = m.device(n * 4);
    r.expert_output = m.device(x * s.combine_bytes, POISON);
    r.output = m.device(t * s.combine_bytes, POISON);
    jgin_plan& p = l.plan;
    uint64_t chunks = (t + JGIN_PLAN_CHUNK - 1) / JGIN_PLAN_CHUNK;
    p.input_tokens = m.device(4);
    p.input_ids = m.device(t * k * 4);
    p.input_weights = m.device(t * k * 4);
    p.tokens = m.device(4);
    p.ids = m.device(t * k * 4, POISON);
    p.weights = m.device(t * k * 4, POISON);
    p.places = m.device(t * k * 4, POISON);
    p.slots = m.device(t * k * 4, POISON);
    p.expert_counts = m.device(s.experts * 4, POISON);
    p.rank_rows = m.device(n * 4, POISON);
    p.source_rows = m.device(n * 4, POISON);
    p.source_tokens = m.device(n * 4, POISON);
    p.source_hash = m.device(n * 8, POISON);
    p.source_counts = m.device(pairs * 4, POISON);
    p.expert_start = m.device((s.local_experts + 1) * 4, POISON);
    p.expert_row_counts = m.device(s.local_experts * 4, POISON);
    p.chunk_counts = m.device(chunks * (s.experts + n) * 4, POISON);
    p.chunk_flags = m.device((1 + chunks) * 8);
    Windows w;
    w.rows = m.device(2 * n * t * s.row_stride, POISON);
    w.counts = m.device(2 * n * s.count_stride, POISON);
    w.returns = m.device(2 * t * s.lanes * s.return_stride, POISON);
    windows_.push_back(w);
    return l;
  }

  void connect(uint32_t r, int ring_size, std::function<bool(uint32_t, uint32_t)> proxied) {
    jgin_rank& rank = launches_[r].rank;
    const jgin_shape& s = rank.shape;
    std::vector<jgin_peer> peers(ranks_);
    bool any = false;
    for (uint32_t p = 0; p < ranks_; p++) any = any || (proxied && p != r && proxied(r, p));
    if (any) {
      proxied_ = true;
      hosts_.resize(ranks_);
      rings_.resize(ranks_);
      Windows& h = hosts_[r];
      h.rows = memory_.pinned(2ull * ranks_ * s.max_tokens * s.row_stride, POISON);
      h.counts = memory_.pinned(2ull * ranks_ * s.count_stride, POISON);
      h.returns = memory_.pinned(2ull * s.max_tokens * s.lanes * s.return_stride, POISON);
      rank.send_rows = memory_.pinned(s.max_tokens * s.row_stride, POISON);
      rank.send_counts = memory_.pinned(ranks_ * s.count_stride, POISON);
      rank.send_returns = memory_.pinned(s.expert_rows * s.return_stride, POISON);
      rank.proxy_words = memory_.pinned(2 * sizeof(jgin_proxy_word));
      rank.rings = memory_.device(ranks_ * s.contexts * sizeof(jgin_ring));
      rings_[r].resize(ranks_ * s.contexts);
      taken_.resize(ranks_);
      taken_[r].resize(ranks_ * s.contexts);
    }
    for (uint32_t p = 0; p < ranks_; p++) {
      jgin_peer& peer = peers[p];
      bool proxy = proxied && p != r && proxied(r, p);
      peer.kind = proxy ? JGIN_PEER_PROXY : JGIN_PEER_NVLINK;
      Windows local = proxy ? hosts_[r] : windows_[r];
      peer.local_rows = local.rows;
      peer.local_counts = local.counts;
      peer.local_returns = local.returns;
      if (proxy) {
        rank.proxy_peers++;
        for (uint32_t c = 0; c < s.contexts; c++) {
          jgin_ring& ring = rings_[r][c * ranks_ + p];
          ring = {memory_.pinned(ring_size * JGIN_DESCRIPTOR_BYTES), static_cast<uint64_t>(ring_size),
                  memory_.pinned(8), 0, 0, {}};
        }
      } else {
        rank.nvlink_peers++;
        peer.remote_rows = windows_[p].rows;
        peer.remote_counts = windows_[p].counts;
        peer.remote_returns = windows_[p].returns;
        peer.remote_signals = launches_[p].rank.signals;
      }
    }
    put(rank.peers, peers);
    if (any) put(rank.rings, rings_[r]);
  }

  bool pop(uint32_t r, size_t i, uint32_t op, std::vector<uint64_t>& arrived,
           std::vector<uint64_t>& epochs) {
    const jgin_ring& ring = rings_[r][i];
    uint64_t& position = taken_[r][i];
    const auto* words = reinterpret_cast<const uint64_t*>(ring.descriptors) +
                        (position & (ring.size - 1)) * JGIN_DESCRIPTOR_WORDS;
    jgin::ring::Put put = {};
    if (!jgin::ring::take(put, position, ring.size,
                          [&](int w) { return __atomic_load_n(words + w, __ATOMIC_ACQUIRE); })) {
      return false;
    }
    position++;
    uint32_t to = put.peer;
    if (put.operation == JGIN_PROXY_PUT) {
      const jgin_rank& from = launches_[r].rank;
      uint64_t source = put.source_window == JGIN_WINDOW_SEND_ROWS     ? from.send_rows
                        : put.source_window == JGIN_WINDOW_SEND_COUNTS ? from.send_counts
                                                                       : from.send_returns;
      uint64_t target = put.target_window == JGIN_WINDOW_RECEIVE_ROWS     ? hosts_[to].rows
                        : put.target_window == JGIN_WINDOW_RECEIVE_COUNTS ? hosts_[to].counts
                                                                          : hosts_[to].returns;
      std::memcpy(reinterpret_cast<void*>(target + put.dst_offset),
                  reinterpret_cast<void*>(source + put.src_offset), put.bytes);
      puts_++;
    } else if (put.operation == JGIN_PROXY_ARRIVE) {
      if (put.high != op) std::printf("pump: ARRIVE of the other operation\n"), std::exit(1);
      arrived[r]++;
      epochs[r] = put.epoch;
    }
    __atomic_store_n(reinterpret_cast<uint64_t*>(ring.consumed), position, __ATOMIC_RELEASE);
    return true;
  }

  struct Windows {
    uint64_t rows = 0, counts = 0, returns = 0;
  };

  uint32_t ranks_;
  bool proxied_ = false;
  uint64_t puts_ = 0;
  Memory memory_;
  std::vector<jgin_launch> launches_;

 public:
  std::vector<Windows> windows_, hosts_;

 private:
  std::vector<std::vector<jgin_ring>> rings_;
  std::vector<std::vector<uint64_t>> taken_;
};

}  // namespace selftest
