// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.layout;

/**
 * A dispatched row: what one token sends to one rank.
 *
 * <pre>
 *   0  long  epoch
 *   8  int   source rank
 *  12  int   source token
 *  16  long  checksum of all other bytes in audit mode, otherwise 0
 *  24  int   stream
 *  28  int   top-k
 *  32  int   ids[topK]       global expert ids, -1 = masked
 *      float weights[topK]
 *      zeros to a multiple of 16
 *      payload               a multiple of 16 bytes
 *      scales, zeros to a multiple of 16
 * </pre>
 *
 * The bytes are the same for every destination of a token, so one staged row serves all.
 *
 * @param topK lanes
 * @param payloadBytes bytes of the hidden vector, a multiple of 16
 * @param scaleBytes bytes of its scales; may be 0
 */
public record RowLayout(int topK, long payloadBytes, long scaleBytes) {
  /** Offset of the epoch. */
  public static final long EPOCH = 0;

  /** Offset of the source rank. */
  public static final long SOURCE_RANK = 8;

  /** Offset of the source token. */
  public static final long SOURCE_TOKEN = 12;

  /** Offset of the checksum. */
  public static final long CHECKSUM = 16;

  /** Offset of the stream. */
  public static final long STREAM = 24;

  /** Offset of the top-k. */
  public static final long TOP_K = 28;

  /** Offset of the ids. */
  public static final long IDS = 32;

  /** Offset of id {@code lane}. */
  public long idAt(int lane) {
    return IDS + 4L * lane;
  }

  /** Offset of weight {@code lane}. */
  public long weightAt(int lane) {
    return IDS + 4L * topK + 4L * lane;
  }

  /** Offset of the payload. */
  public long payloadAt() {
    return Align.part(IDS + 8L * topK);
  }

  /** Offset of the scales. */
  public long scalesAt() {
    return payloadAt() + payloadBytes;
  }

  /** Bytes of the whole row, a multiple of 16. */
  public long bytes() {
    return Align.part(scalesAt() + scaleBytes);
  }

  /** Distance between rows whose wire form has {@code wireBytes} bytes, a multiple of 128. */
  public static long stride(long wireBytes) {
    return Align.row(wireBytes);
  }
}
