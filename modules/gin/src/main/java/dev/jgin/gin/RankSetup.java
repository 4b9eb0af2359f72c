// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gin;

/** What one rank does on its own thread; collective calls in it meet those of the other ranks. */
@FunctionalInterface
public interface RankSetup<T> {

  /** Runs for the rank of {@code communicator}. */
  T apply(Communicator communicator);
}
