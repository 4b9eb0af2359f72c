// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gin;

/** Tells an {@link BarrierProtocol#ORDER_FREE} barrier whether a member's rows are all here. */
@FunctionalInterface
public interface FreshnessCheck {

  /**
   * Whether every line of the {@code rows} rows that {@code member} announced for {@code epoch}
   * carries that epoch's tag. Non-blocking; called again and again until true; must not allocate.
   */
  boolean fresh(int member, long rows, long epoch);
}
