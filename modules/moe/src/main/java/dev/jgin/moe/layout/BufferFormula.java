// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.layout;

/**
 * The off-heap bytes that one rank holds.
 *
 * <p>With R ranks, T tokens per rank at most, K top-k, S streams, D the stride of a dispatched row,
 * G the stride of a returned row, C the stride of a count block, P bytes of payload and scales of a
 * row, Q bytes of payload of a returned row, X expert rows at most:
 *
 * <pre>
 *   send rows       S * T * D           one per token, for all destinations
 *   receive rows    S * 2 * R * T * D   [stream][epoch parity][source rank][slot]
 *   count blocks    S * 3 * R * C       one to send and one per parity to receive
 *   expert input    S * X * P           what the caller's experts read
 *   expert output   S * X * G           what the caller's experts write
 *   partial sums    S * min(R * T, X) * G        REDUCED over EXPANDED only
 *   returned rows   S * 2 * T * L * G   L = K (CANONICAL) or min(K, R) (REDUCED)
 *   output          S * T * Q
 *   encoding        S * (T * D + Y * G) ORDER_FREE only: tagged copies of what is sent,
 *                                       Y = X (CANONICAL, one row per token), min(R * T, X) (else)
 * </pre>
 *
 * D, G and C are rounded up to 128 bytes; under ORDER_FREE they count the tag in each line. Heap
 * bookkeeping (16 bytes per expert row, 20 per received row, 28 per token and lane) and the cells
 * of barriers are not counted. A worked example is in {@code docs/buffers.md}.
 *
 * @param ranks R
 * @param streams S
 * @param tokens T
 * @param lanes L
 * @param expertRows X
 * @param partialRows rows of partial sums; 0 if the caller's rows are returned as they are
 * @param tagged whether rows are encoded with tags before they are sent
 * @param rowStride D
 * @param countStride C
 * @param combineStride G
 * @param inputBytes P
 * @param outputBytes Q
 */
public record BufferFormula(
    long ranks,
    long streams,
    long tokens,
    long lanes,
    long expertRows,
    long partialRows,
    boolean tagged,
    long rowStride,
    long countStride,
    long combineStride,
    long inputBytes,
    long outputBytes) {

  /** Send rows of one stream. */
  public long sendRows() {
    return times(tokens, rowStride);
  }

  /** Receive rows of one stream, both parities. */
  public long receiveRows() {
    return times(2, times(times(ranks, tokens), rowStride));
  }

  /** Count blocks of one stream, sent and received. */
  public long countBlocks() {
    return times(3, times(ranks, countStride));
  }

  /** Expert input of one stream. */
  public long expertInput() {
    return times(expertRows, inputBytes);
  }

  /** Expert output of one stream. */
  public long expertOutput() {
    return times(expertRows, combineStride);
  }

  /** Partial sums of one stream. */
  public long partialSums() {
    return times(partialRows, combineStride);
  }

  /** Returned rows of one stream, both parities. */
  public long returnedRows() {
    return times(2, times(times(tokens, lanes), combineStride));
  }

  /** Output of one stream. */
  public long output() {
    return times(tokens, outputBytes);
  }

  /** Tagged copies of what one stream sends. */
  public long encoding() {
    long returned = partialRows == 0 ? expertOutput() : partialSums();
    return tagged ? sum(sendRows(), returned) : 0;
  }

  /** All streams together. */
  public long totalBytes() {
    long one = sum(sendRows(), receiveRows());
    one = sum(one, countBlocks());
    one = sum(one, expertInput());
    one = sum(one, expertOutput());
    one = sum(one, partialSums());
    one = sum(one, returnedRows());
    one = sum(one, output());
    one = sum(one, encoding());
    return times(streams, one);
  }

  // Saturating: a demand beyond a long is as far over any budget as the largest long.
  private static long times(long a, long b) {
    return Math.multiplyHigh(a, b) != 0 || a * b < 0 ? Long.MAX_VALUE : a * b;
  }

  private static long sum(long a, long b) {
    long sum = a + b;
    return sum < 0 ? Long.MAX_VALUE : sum;
  }
}
