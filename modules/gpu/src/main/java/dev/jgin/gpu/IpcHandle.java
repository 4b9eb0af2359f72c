// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gpu;

import dev.jgin.bindings.cuda.CUipcMemHandle_st;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * Names device memory to another process of the same machine, which opens it with {@link
 * GpuContext#openIpc}. Its bytes mean nothing to anybody but the driver and may travel by any way.
 * It does not keep the memory: the process that allocated it must not free it before every other
 * one has closed it, and must not open it itself.
 */
public final class IpcHandle {
  /** Bytes of a handle. */
  public static final int BYTES = (int) CUipcMemHandle_st.layout().byteSize();

  private final byte[] bytes;
  private final long size;

  /**
   * A handle that came from another process.
   *
   * @param bytes {@link #BYTES} of them
   * @param size bytes of the memory, as its owner knows them
   * @throws IllegalArgumentException if the number of bytes is another, or the size not positive
   */
  public IpcHandle(byte[] bytes, long size) {
    if (bytes.length != BYTES) {
      throw new IllegalArgumentException(
          "an IPC handle of " + bytes.length + " bytes: it must have " + BYTES);
    }
    if (size <= 0) {
      throw new IllegalArgumentException("an IPC handle of memory of " + size + " bytes");
    }
    this.bytes = bytes.clone();
    this.size = size;
  }

  /** A copy of its bytes. */
  public byte[] bytes() {
    return bytes.clone();
  }

  /** Bytes of the memory that it names. */
  public long size() {
    return size;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof IpcHandle handle
        && size == handle.size
        && Arrays.equals(bytes, handle.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  @Override
  public String toString() {
    return "IPC handle " + HexFormat.of().formatHex(bytes, 0, 8) + "… of " + size + " bytes";
  }
}
