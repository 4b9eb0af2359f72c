// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.layout;

/**
 * A returned row: an expert's output, or a rank's partial sum, on its way back to the token.
 *
 * <pre>
 *   0  long  epoch
 *   8  int   rank that returns it
 *  12  int   token at the rank it returns to
 *  16  long  checksum of all other bytes in audit mode, otherwise 0
 *  24  int   lane (of a partial sum: the first lane in it)
 *  28  int   stream
 *  32  payload, a multiple of 16 bytes
 * </pre>
 *
 * @param payloadBytes bytes of the hidden vector in the type of the combine
 */
public record CombineLayout(long payloadBytes) {
  /** Offset of the epoch. */
  public static final long EPOCH = 0;

  /** Offset of the returning rank. */
  public static final long RANK = 8;

  /** Offset of the token. */
  public static final long TOKEN = 12;

  /** Offset of the checksum. */
  public static final long CHECKSUM = 16;

  /** Offset of the lane. */
  public static final long LANE = 24;

  /** Offset of the stream. */
  public static final long STREAM = 28;

  /** Offset of the payload. */
  public static final long PAYLOAD = 32;

  /** Bytes of the whole row, a multiple of 16. */
  public long bytes() {
    return PAYLOAD + payloadBytes;
  }
}
