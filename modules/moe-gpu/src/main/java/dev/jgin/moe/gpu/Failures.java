// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.gpu;

import dev.jgin.bindings.abi.abi_h;
import dev.jgin.gin.DeadlineException;
import dev.jgin.gpu.proxy.ErrorWord;
import dev.jgin.moe.CapacityException;
import dev.jgin.moe.EpConfig;

/** Turns the error word of a rank's kernels into the exception that the host engine would throw. */
final class Failures {
  private Failures() {}

  /**
   * What happened.
   *
   * @param rank who found it
   * @param operation {@code dispatch, stream 3}
   * @param epoch of the operation
   * @param room expert rows that there is room for
   */
  record Scene(int rank, String operation, long epoch, EpConfig config, int room) {}

  /** The exception for a word that is not 0. */
  static RuntimeException of(long word, Scene scene) {
    ErrorWord error = ErrorWord.of(word);
    long detail = Integer.toUnsignedLong(error.detail());
    int code = error.code();
    if (code == abi_h.JGIN_ERROR_DEADLINE()) {
      return new DeadlineException(
          scene.rank(),
          "%s, epoch %d, %s: waits for %s, context %d"
              .formatted(
                  scene.operation(),
                  scene.epoch(),
                  Kernels.name(error.kernel()),
                  error.peer() < 0 ? "the proxy" : "rank " + error.peer(),
                  detail),
          scene.config().timeoutNanos());
    }
    if (code == abi_h.JGIN_ERROR_CAPACITY()) {
      return new CapacityException(scene.rank(), scene.epoch(), detail, scene.room());
    }
    return new KernelException(
        scene.rank(), scene.operation() + ", epoch " + scene.epoch(), code, why(error, detail));
  }

  private static String why(ErrorWord error, long detail) {
    String kernel = Kernels.name(error.kernel());
    int code = error.code();
    if (code == abi_h.JGIN_ERROR_ABORTED()) {
      return kernel + " was told to end: the engine was closed while it ran";
    }
    if (code == abi_h.JGIN_ERROR_PROXY()) {
      return kernel
          + ": the proxy failed, lane (context "
          + detail
          + ", peer "
          + error.peer()
          + ")";
    }
    if (code == abi_h.JGIN_ERROR_RING_FULL()) {
      return kernel + ": the ring to rank " + error.peer() + " had no room until the deadline";
    }
    if (code == abi_h.JGIN_ERROR_ABI()) {
      return kernel
          + ": the kernels are of another version than these classes ("
          + detail
          + ", here "
          + abi_h.JGIN_ABI_VERSION()
          + "), or a row does not fit their memory; build both from one source";
    }
    if (code == abi_h.JGIN_ERROR_ROUTING()) {
      return kernel
          + ": the routing in device memory has too many tokens, an expert outside its range, or a"
          + " token that names one twice ("
          + (int) detail
          + ")";
    }
    return kernel + ": error " + code + ", detail " + detail;
  }
}
