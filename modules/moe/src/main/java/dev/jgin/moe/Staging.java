// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe;

import dev.jgin.moe.numeric.BlockQuantizer;
import dev.jgin.moe.numeric.DType;
import java.lang.foreign.MemorySegment;

/** Writes dense token rows to where dispatch reads them. One thread at a time. */
final class Staging {
  private final Geometry g;
  private final MemorySegment rows;
  private final BlockQuantizer quantizer;

  Staging(Geometry g, StreamBuffers buffers) {
    this.g = g;
    this.rows = buffers.rawRows;
    this.quantizer = new BlockQuantizer(g.config.scales());
  }

  long payloadAt(int token) {
    return token * g.rowStride + g.row.payloadAt();
  }

  long scalesAt(int token) {
    return token * g.rowStride + g.row.scalesAt();
  }

  void copy(
      MemorySegment payload, long offset, MemorySegment scales, long scalesOffset, int tokens) {
    requireTokens(tokens);
    long bytes = g.row.payloadBytes();
    long scaleBytes = g.row.scaleBytes();
    for (int t = 0; t < tokens; t++) {
      MemorySegment.copy(payload, offset + t * bytes, rows, payloadAt(t), bytes);
      if (scaleBytes != 0) {
        MemorySegment.copy(scales, scalesOffset + t * scaleBytes, rows, scalesAt(t), scaleBytes);
      }
    }
  }

  void quantize(DType type, MemorySegment dense, long offset, int tokens) {
    requireTokens(tokens);
    if (g.config.dtype() != DType.FP8_E4M3) {
      throw new IllegalArgumentException(
          "rows are "
              + g.config.dtype().cliName()
              + ", not fp8: stage them as they are, or configure dtype fp8");
    }
    int hidden = g.config.hidden();
    long bytes = type.bytes(hidden);
    for (int t = 0; t < tokens; t++) {
      quantizer.quantize(
          type, dense, offset + t * bytes, hidden, rows, payloadAt(t), rows, scalesAt(t));
    }
  }

  private void requireTokens(int tokens) {
    if (tokens < 0 || tokens > g.tokens) {
      throw new IllegalArgumentException(
          tokens + " tokens on one rank: configured are at most " + g.tokens);
    }
  }
}
