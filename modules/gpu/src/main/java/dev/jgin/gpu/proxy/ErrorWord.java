// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gpu.proxy;

import dev.jgin.bindings.abi.abi_h;
import dev.jgin.gin.DeadlineException;
import dev.jgin.gin.LaneFailedException;

/**
 * The error word that kernels and the proxy share, decoded; the encoding is that of {@code abi.h}.
 *
 * @param code {@code JGIN_ERROR_…}
 * @param kernel {@code JGIN_KERNEL_…}: who found it, or who waits in vain
 * @param peer the world rank it is about, or -1 if that is not known
 * @param detail a context, or what the code says
 */
public record ErrorWord(int code, int kernel, int peer, int detail) {
  private static final int NO_PEER = abi_h.JGIN_ERROR_NO_PEER();

  /** Decodes a word that is not 0. */
  public static ErrorWord of(long word) {
    int peer = (int) (word >>> abi_h.JGIN_ERROR_PEER_SHIFT()) & 0xFFFF;
    return new ErrorWord(
        (int) (word >>> abi_h.JGIN_ERROR_CODE_SHIFT()) & 0xFF,
        (int) (word >>> abi_h.JGIN_ERROR_KERNEL_SHIFT()) & 0xFF,
        peer == NO_PEER ? -1 : peer,
        (int) (word >>> abi_h.JGIN_ERROR_DETAIL_SHIFT()));
  }

  /** The word. */
  public long word() {
    return (long) code << abi_h.JGIN_ERROR_CODE_SHIFT()
        | (long) kernel << abi_h.JGIN_ERROR_KERNEL_SHIFT()
        | (long) (peer < 0 ? NO_PEER : peer) << abi_h.JGIN_ERROR_PEER_SHIFT()
        | (long) detail << abi_h.JGIN_ERROR_DETAIL_SHIFT();
  }

  /** What a kernel that waits for a proxy word is told of {@code failure}. */
  static ErrorWord of(RuntimeException failure, int kernel) {
    return switch (failure) {
      case DeadlineException _ -> new ErrorWord(abi_h.JGIN_ERROR_DEADLINE(), kernel, -1, 0);
      case ProxyAbortedException _ -> new ErrorWord(abi_h.JGIN_ERROR_ABORTED(), kernel, -1, 0);
      case LaneFailedException e -> proxy(kernel, e.peer(), e.context());
      case MalformedDescriptorException e -> proxy(kernel, e.peer(), e.context());
      default -> proxy(kernel, -1, 0);
    };
  }

  private static ErrorWord proxy(int kernel, int peer, int context) {
    return new ErrorWord(abi_h.JGIN_ERROR_PROXY(), kernel, peer, context);
  }
}
