// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.verbs.device;

/** Which of a provider's hot functions are called as critical ones; see {@link HotCalls}. */
public enum CriticalMode {
  /** Those that are known to make no system call. */
  AUTO,
  /** All, whatever the provider: for measurements. A call that blocks stops the whole JVM. */
  ON,
  /** None. */
  OFF
}
