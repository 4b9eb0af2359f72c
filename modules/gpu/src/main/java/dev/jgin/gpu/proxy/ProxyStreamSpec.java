// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gpu.proxy;

import dev.jgin.gin.Barrier;
import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * What a {@link ProxyEngine} needs to serve one stream of its rank.
 *
 * @param stream the stream's number, for messages
 * @param windows what descriptors may name
 * @param dispatch the barrier behind dispatches; its epochs are those that the kernels count, so it
 *     begins at the same initial epoch
 * @param combine the barrier behind combines, another one
 * @param rings one for each context and peer that descriptors go to, at least one; an operation's
 *     barrier is run when each of them has brought its ARRIVE
 * @param words {@code jgin_proxy_word [2]}, by operation: what the kernels wait for
 */
public record ProxyStreamSpec(
    int stream,
    ProxyWindows windows,
    Barrier dispatch,
    Barrier combine,
    List<RingMemory> rings,
    MemorySegment words) {

  /** Checks what needs no communicator. */
  public ProxyStreamSpec {
    Objects.requireNonNull(windows, "windows");
    Objects.requireNonNull(words, "words");
    rings = List.copyOf(rings);
    if (rings.isEmpty()) {
      throw new IllegalArgumentException(
          "stream " + stream + " has no rings: without PROXY peers it needs no proxy");
    }
    if (dispatch == combine) {
      throw new IllegalArgumentException(
          "stream " + stream + ": dispatch and combine need a barrier each");
    }
    Set<Long> lanes = new HashSet<>();
    for (RingMemory ring : rings) {
      if (!lanes.add((long) ring.context() << 32 | ring.peer())) {
        throw new IllegalArgumentException(
            "stream "
                + stream
                + " has two rings of (context "
                + ring.context()
                + ", peer "
                + ring.peer()
                + "): their puts would have no order; give each lane one");
      }
    }
  }
}
