// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.contract;

import dev.jgin.moe.oracle.DenseDispatch;
import dev.jgin.moe.oracle.RankInput;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** The dense dispatch of every stream and epoch, made when first asked for. Thread-safe. */
final class Expectations {
  private record Key(int stream, int epoch) {}

  private final EpCase test;
  private final ConcurrentMap<Key, DenseDispatch> dispatches = new ConcurrentHashMap<>();

  Expectations(EpCase test) {
    this.test = test;
  }

  DenseDispatch of(int stream, int epoch) {
    // Ranks are at most one epoch apart.
    dispatches.keySet().removeIf(key -> key.stream == stream && key.epoch < epoch - 2);
    return dispatches.computeIfAbsent(new Key(stream, epoch), this::make);
  }

  private DenseDispatch make(Key key) {
    List<RankInput> inputs = new ArrayList<>();
    for (int rank = 0; rank < test.ranks(); rank++) {
      inputs.add(test.batches().input(rank, key.stream, key.epoch));
    }
    return new DenseDispatch(test.shape(), inputs);
  }
}
