// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.gpu;

import dev.jgin.bindings.abi.jgin_rank;
import dev.jgin.bindings.abi.jgin_shape;
import dev.jgin.gpu.GpuContext;
import dev.jgin.gpu.GpuEvent;
import dev.jgin.gpu.GpuStream;
import dev.jgin.gpu.HostMemory;
import java.lang.foreign.MemorySegment;

/** Brings dense token rows from host memory to where the dispatch kernel reads them. */
final class InputStaging implements AutoCloseable {
  private final MemorySegment rank;
  private final GpuStream stream;
  private final HostMemory pinned;
  private final GpuEvent copied;
  private final long rowBytes;
  private final long scaleBytes;
  private final long scalesAt;
  private final int maxTokens;

  InputStaging(GpuContext context, StreamMemory memory, GpuStream stream) {
    MemorySegment shape = memory.shape();
    this.rank = memory.rank;
    this.stream = stream;
    this.rowBytes = jgin_shape.input_bytes(shape);
    // Tokens of another type have no scales yet: the kernel makes them.
    boolean quantises = jgin_shape.input_dtype(shape) != jgin_shape.dtype(shape);
    this.scaleBytes = quantises ? 0 : jgin_shape.scale_bytes(shape);
    this.maxTokens = jgin_shape.max_tokens(shape);
    this.scalesAt = maxTokens * rowBytes;
    this.pinned = context.allocateHost("token rows", scalesAt + maxTokens * scaleBytes);
    this.copied = context.event("token rows copied", false);
  }

  /** Enqueues the copy; waits only for the copy before it. */
  void stage(MemorySegment payload, long at, MemorySegment scales, long scalesFrom, int tokens) {
    if (tokens < 0 || tokens > maxTokens) {
      throw new IllegalArgumentException(
          tokens + " tokens on one rank: configured are at most " + maxTokens);
    }
    if (tokens == 0) {
      return;
    }
    copied.synchronize();
    MemorySegment to = pinned.segment();
    MemorySegment.copy(payload, at, to, 0, tokens * rowBytes);
    stream.copy(jgin_rank.payload(rank), pinned.address(), tokens * rowBytes);
    if (scaleBytes != 0) {
      MemorySegment.copy(scales, scalesFrom, to, scalesAt, tokens * scaleBytes);
      stream.copy(jgin_rank.scales(rank), pinned.address() + scalesAt, tokens * scaleBytes);
    }
    stream.record(copied);
  }

  @Override
  public void close() {
    copied.close();
    pinned.close();
  }
}
