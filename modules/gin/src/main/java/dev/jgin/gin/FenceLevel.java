// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gin;

/** What a barrier promises beyond "every member has arrived" (NCCL's barrier fence levels). */
public enum FenceLevel {
  /** Execution only: nothing is said about anyone's puts or gets. */
  NONE(false, false),
  /** Puts that members posted to me before they arrived are visible to me when the wait ends. */
  PUT(true, false),
  /** My own gets posted before I arrived have landed when the wait ends. */
  GET(false, true),
  /** Both. */
  PUT_AND_GET(true, true);

  private final boolean puts;
  private final boolean gets;

  FenceLevel(boolean puts, boolean gets) {
    this.puts = puts;
    this.gets = gets;
  }

  /** Whether incoming puts are fenced. */
  public boolean fencesPuts() {
    return puts;
  }

  /** Whether own gets are fenced. */
  public boolean fencesGets() {
    return gets;
  }
}
