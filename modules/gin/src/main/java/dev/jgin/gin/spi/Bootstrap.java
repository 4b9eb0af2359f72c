// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gin.spi;

import java.util.List;

/**
 * How ranks find each other before there is a fabric: who am I, how many are we, and an exchange of
 * small values.
 *
 * <p>Calls are collective and made by every rank in the same order, by one thread per rank.
 */
public interface Bootstrap extends AutoCloseable {

  /** This rank. */
  int rank();

  /** Number of ranks. */
  int ranks();

  /**
   * Gives {@code value} to every rank and returns all values, indexed by rank. Returns when every
   * rank has called, so it is a barrier too.
   *
   * @param key names the exchange; the same on every rank
   * @param timeoutNanos longest wait for the slowest rank
   * @throws dev.jgin.gin.DeadlineException naming the ranks that did not come
   * @throws IllegalArgumentException if another rank is in an exchange with another key
   */
  List<byte[]> allGather(String key, byte[] value, long timeoutNanos);

  /** Whether all ranks live in this process and may share objects. */
  default boolean inProcess() {
    return false;
  }

  /**
   * An object shared by the ranks of one process, made by the first rank that asks.
   *
   * @throws UnsupportedOperationException if {@link #inProcess()} is false
   */
  default <T> T shared(String key, Class<T> type, java.util.function.Supplier<T> maker) {
    throw new UnsupportedOperationException(
        "ranks of this bootstrap live in different processes and share no '" + key + "'");
  }

  @Override
  void close();
}
