// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.gpu;

import dev.jgin.bindings.abi.abi_h;
import dev.jgin.bindings.abi.jgin_peer;
import dev.jgin.bindings.abi.jgin_rank;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Fills in {@code jgin_peer [R]} of a rank whose peers are all reached by plain addresses. */
final class PeerTable {
  private PeerTable() {}

  /**
   * What a rank tells the others: its windows, as every GPU of the process sees them.
   *
   * @param self {@code jgin_peer} with the {@code local_…} windows
   * @param rank {@code jgin_rank} with the signals
   */
  record Windows(MemorySegment self, MemorySegment rank) {}

  /** The table of the rank whose own windows are {@code mine}; {@code all} by rank. */
  static MemorySegment of(Windows mine, List<Windows> all, Arena arena) {
    MemorySegment peers = jgin_peer.allocateArray(all.size(), arena);
    for (int p = 0; p < all.size(); p++) {
      MemorySegment peer = jgin_peer.asSlice(peers, p).copyFrom(mine.self());
      MemorySegment remote = all.get(p).self();
      jgin_peer.kind(peer, abi_h.JGIN_PEER_NVLINK());
      jgin_peer.remote_rows(peer, jgin_peer.local_rows(remote));
      jgin_peer.remote_counts(peer, jgin_peer.local_counts(remote));
      jgin_peer.remote_returns(peer, jgin_peer.local_returns(remote));
      jgin_peer.remote_signals(peer, jgin_rank.signals(all.get(p).rank()));
    }
    return peers;
  }
}
