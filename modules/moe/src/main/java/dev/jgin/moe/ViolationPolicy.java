// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe;

/** What a stream does when a check fails. */
public enum ViolationPolicy {
  /** Throws, and the stream takes no more work. */
  FAIL_FAST,
  /**
   * For experiments: notes the violation, leaves the bad row out (its places in the output are zero
   * and belong to nobody) and goes on.
   */
  COLLECT
}
