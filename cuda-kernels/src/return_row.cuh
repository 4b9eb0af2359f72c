// SPDX-License-Identifier: Apache-2.0
// C: where one row of the expert output goes, and how.
#pragma once

#include "jgin/exchange.cuh"
#include "jgin/memory.cuh"

namespace jgin::back {

inline constexpr uint32_t KERNEL = JGIN_KERNEL_COMBINE_SEND;

/// One row on its way back.
struct Item {
  int32_t source = JGIN_NONE;  // the rank that it returns to; JGIN_NONE = padding, or left out
  uint32_t token = 0;
  uint32_t lane = 0;
  uint32_t place = 0;
  uint32_t row = 0;  // in the expert output
};

/// What returns for row `row` of the expert output, whose received row is `received`.
JGIN_D Item item_of(const jgin_rank& r, uint32_t row, int32_t received) {
  Item item;
  if (received < 0) return item;
  const jgin_shape& s = r.shape;
  item.row = row;
  item.source = pointer<const int32_t>(r.received_source)[received];
  item.token = pointer<const int32_t>(r.received_token)[received];
  if (s.combine_mode == JGIN_CANONICAL) {
    item.lane = item.place = pointer<const int32_t>(r.row_lane)[row];
  } else {
    item.lane = pointer<const int32_t>(r.received_lane)[received];
    item.place = pointer<const int32_t>(r.received_ordinal)[received];
  }
  return item;
}

/// Where a row goes, and how: by bulk copy to a peer, or through the send window and a proxy.
class Sender {
 public:
  JGIN_D Sender(const jgin_rank& r, Proxy& proxy, uint64_t epoch)
      : r_(r), s_(r.shape), proxy_(proxy), epoch_(epoch) {}

  JGIN_D jgin_return_header header(const Item& item) const {
    return {epoch_, s_.rank, item.token, 0, item.lane, s_.stream};
  }

  /// By one thread; the row is complete in shared memory and known to the asynchronous proxy.
  JGIN_D void send(const char* row, const Item& item, uint32_t send_slot) {
    const jgin_peer& peer = pointer<const jgin_peer>(r_.peers)[item.source];
    uint64_t offset = returned_at(s_, epoch_, item.token, item.place);
    if (peer.kind == JGIN_PEER_NVLINK) {
      NvLink::put_shared(NvLink::target(peer, JGIN_WINDOW_RECEIVE_RETURNS) + offset, row,
                         s_.return_bytes);
      bulk_commit();
      return;
    }
    uint64_t at = send_slot * s_.return_stride;
    bulk_store(pointer<char>(r_.send_returns) + at, row, s_.return_bytes);
    bulk_commit();
    bulk_wait_all();
    fence_proxies();
    uint64_t slot = static_cast<uint64_t>(item.token) * s_.lanes + item.place;
    uint32_t to = item.source;
    proxy_.put({context_of(s_, slot, to, epoch_), to, JGIN_WINDOW_SEND_RETURNS,
                JGIN_WINDOW_RECEIVE_RETURNS, at, offset, s_.return_bytes},
               0);
  }

 private:
  const jgin_rank& r_;
  const jgin_shape& s_;
  Proxy& proxy_;
  uint64_t epoch_;
};

}  // namespace jgin::back
