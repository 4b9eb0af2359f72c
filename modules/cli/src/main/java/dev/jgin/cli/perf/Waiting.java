// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.perf;

import dev.jgin.gin.WaitStrategy;

/** What a wait does between two looks. */
enum Waiting {
  /** Spin where each rank can have a processor, else give it up now and then. */
  AUTO,
  SPIN,
  BACKOFF;

  /** The choice for {@code ranks} ranks on {@code processors} processors. */
  Waiting resolved(int ranks, int processors) {
    return this != AUTO ? this : processors >= ranks ? SPIN : BACKOFF;
  }

  /** The strategy of a choice that is resolved. */
  WaitStrategy strategy() {
    return this == SPIN ? WaitStrategy.spin() : WaitStrategy.backoff();
  }

  /** In words. */
  String describe() {
    return this == SPIN ? "waits spin" : "waits spin, then yield, then park";
  }
}
