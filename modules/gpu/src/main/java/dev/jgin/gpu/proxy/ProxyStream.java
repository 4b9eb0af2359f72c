// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gpu.proxy;

import dev.jgin.gin.Communicator;
import java.util.Optional;

/**
 * One stream as a {@link ProxyEngine} serves it: what it has passed, and why it stopped.
 *
 * <p>The engine's thread works on it; everything public may be asked by any thread.
 */
public final class ProxyStream {
  private final int stream;
  private final ProxyWords words;
  private final ProxyOperation operation;
  private volatile RuntimeException failure;

  ProxyStream(Communicator comm, ProxyOptions options, ProxyStreamSpec spec) {
    this.stream = spec.stream();
    this.words = new ProxyWords(spec.words());
    this.operation = new ProxyOperation(comm, options, spec, words);
  }

  /** The stream's number. */
  public int stream() {
    return stream;
  }

  /** Where it is in its operation. Of no use for synchronisation: {@link #passed} is. */
  public ProxyPhase phase() {
    return operation.phase();
  }

  /** Descriptors taken since set-up. */
  public long descriptors() {
    return operation.descriptors();
  }

  /**
   * The epoch of the last operation of this kind ({@code JGIN_OP_…}) that has passed its barrier
   * and whose sources are reusable. Acquire: the rows that the barrier fenced are visible behind
   * it.
   */
  public long passed(int kind) {
    return words.epoch(kind);
  }

  /** What a kernel that waits for this kind of operation is told; empty if nothing has failed. */
  public Optional<ErrorWord> error(int kind) {
    long word = words.error(kind);
    return word == 0 ? Optional.empty() : Optional.of(ErrorWord.of(word));
  }

  /** Why it takes no more descriptors; empty while it does. There from before the error words. */
  public Optional<RuntimeException> failure() {
    return Optional.ofNullable(failure);
  }

  /**
   * Returns if it works.
   *
   * @throws IllegalStateException if it has failed, with {@link #failure()} as its cause
   */
  public void requireUsable() {
    RuntimeException why = failure;
    if (why != null) {
      throw new IllegalStateException(
          "stream " + stream + " takes no more descriptors: " + why.getMessage(), why);
    }
  }

  /** Advances; whether anything moved. A failure ends the stream and is not thrown. */
  boolean step() {
    if (failure != null) {
      return false;
    }
    try {
      return operation.step();
    } catch (RuntimeException e) {
      fail(e);
      return true;
    }
  }

  /** Whether it waits for the carrier or for other ranks. */
  boolean waits() {
    return failure == null && operation.waits();
  }

  /** Ends the stream: the owner is told first, then the kernels. The first failure stays. */
  void fail(RuntimeException why) {
    if (failure == null) {
      failure = why;
      operation.fail(why);
    }
  }
}
