// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gin;

import java.util.Objects;
import java.util.Optional;

/**
 * How a barrier works; equal on every member.
 *
 * @param protocol how puts are made visible
 * @param fence what is promised when the wait ends
 * @param initialEpoch the epoch before the first, at least 0; large to start near a wrap in tests
 * @param freshness what {@link BarrierProtocol#ORDER_FREE} asks about rows
 */
public record BarrierOptions(
    BarrierProtocol protocol,
    FenceLevel fence,
    long initialEpoch,
    Optional<FreshnessCheck> freshness) {

  public BarrierOptions {
    Objects.requireNonNull(protocol, "protocol");
    Objects.requireNonNull(fence, "fence");
    if (initialEpoch < 0) {
      throw new IllegalArgumentException(
          "initial epoch "
              + initialEpoch
              + ": it must be at least 0, because unwritten memory stands for epoch 0 and must count"
              + " as earlier than the first");
    }
    if (protocol == BarrierProtocol.ORDER_FREE && fence.fencesPuts() && freshness.isEmpty()) {
      throw new IllegalArgumentException(
          "ORDER_FREE proves that puts are here by the tag in each line, so it needs a freshness check"
              + " to fence puts: give one, or use fence NONE or GET");
    }
  }

  /**
   * A barrier whose epochs start at 1, without freshness check.
   *
   * @throws IllegalArgumentException for ORDER_FREE with a fence for puts, which needs one
   */
  public static BarrierOptions of(BarrierProtocol protocol, FenceLevel fence) {
    return new BarrierOptions(protocol, fence, 0L, Optional.empty());
  }
}
