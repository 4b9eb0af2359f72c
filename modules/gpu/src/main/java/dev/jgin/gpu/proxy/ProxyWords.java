// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gpu.proxy;

import dev.jgin.bindings.abi.abi_h;
import dev.jgin.bindings.abi.jgin_proxy_word;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/** The two {@code jgin_proxy_word}s of a stream: written by the proxy, read by any thread. */
final class ProxyWords {
  /** Operations of a layer: dispatch, combine. */
  static final int OPERATIONS = 2;

  /** Bytes of the words of a stream. */
  static final long BYTES = OPERATIONS * jgin_proxy_word.sizeof();

  private static final VarHandle WORD = ValueLayout.JAVA_LONG.varHandle();

  private final MemorySegment words;

  ProxyWords(MemorySegment words) {
    if (words.byteSize() < BYTES
        || words.address() % Long.BYTES != 0
        || words.maxByteAlignment() < Long.BYTES) {
      throw new IllegalArgumentException(
          "proxy words of "
              + words.byteSize()
              + " bytes at 0x"
              + Long.toHexString(words.address())
              + ": "
              + BYTES
              + " bytes, aligned to 8, are needed");
    }
    this.words = words;
  }

  /** The operation {@code epoch} has passed its barrier and its sources are reusable. */
  void pass(int operation, long epoch) {
    // Release, behind the acquired cells of the barrier: a kernel that acquires it sees the rows.
    WORD.setRelease(words, at(operation) + jgin_proxy_word.epoch$offset(), epoch);
  }

  /** Nothing will pass any more. */
  void fail(RuntimeException failure) {
    for (int operation = 0; operation < OPERATIONS; operation++) {
      long word = ErrorWord.of(failure, waitingKernel(operation)).word();
      WORD.setRelease(words, at(operation) + jgin_proxy_word.error$offset(), word);
    }
  }

  /** Sets the epoch that an operation begins behind, and no error. */
  void reset(int operation, long epoch) {
    WORD.setRelease(words, at(operation) + jgin_proxy_word.error$offset(), 0L);
    pass(operation, epoch);
  }

  long epoch(int operation) {
    return (long) WORD.getAcquire(words, at(operation) + jgin_proxy_word.epoch$offset());
  }

  long error(int operation) {
    return (long) WORD.getAcquire(words, at(operation) + jgin_proxy_word.error$offset());
  }

  private static long at(int operation) {
    return operation * jgin_proxy_word.sizeof();
  }

  private static int waitingKernel(int operation) {
    return operation == abi_h.JGIN_OP_DISPATCH()
        ? abi_h.JGIN_KERNEL_DISPATCH_EPILOGUE()
        : abi_h.JGIN_KERNEL_COMBINE_REDUCE();
  }
}
