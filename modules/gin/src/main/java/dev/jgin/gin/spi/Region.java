// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gin.spi;

import java.lang.foreign.MemorySegment;

/**
 * A symmetric registered region: every rank registered the same number of bytes under the same id,
 * so one handle and an offset name the memory of any peer.
 *
 * <p>Immutable and safe for use by several threads; the memory behind {@link #local()} is not
 * synchronised by the handle.
 *
 * @param id position in this fabric's sequence of registrations, equal on every rank
 * @param name for messages
 * @param kind how accesses are ordered
 * @param local this rank's own memory, {@code bytes} long, zero-filled at registration
 */
public record Region(int id, String name, RegionKind kind, MemorySegment local) {

  /** Size in bytes, equal on every rank. */
  public long bytes() {
    return local.byteSize();
  }
}
