// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.layout;

/**
 * The block of counts that a rank sends to each rank with each dispatch.
 *
 * <pre>
 *   0  long  epoch
 *   8  long  hash of rows, tokens and counts
 *  16  int   rows that follow, deduplicated by rank
 *  20  int   source rank
 *  24  int   tokens of the source
 *  28  int   1 if the plan is a cached one and the counts are not sent, else 0
 *  32  int   counts[local experts of the destination]
 *      zeros to a multiple of 16
 * </pre>
 *
 * A cached plan sends the head alone: the hash stands for the counts that the receiver kept.
 *
 * @param experts experts of the rank that owns most
 */
public record CountLayout(int experts) {
  /** Offset of the epoch. */
  public static final long EPOCH = 0;

  /** Offset of the hash. */
  public static final long HASH = 8;

  /** Offset of the number of rows. */
  public static final long ROWS = 16;

  /** Offset of the source rank. */
  public static final long SOURCE_RANK = 20;

  /** Offset of the source's number of tokens. */
  public static final long TOKENS = 24;

  /** Offset of the cached mark. */
  public static final long CACHED = 28;

  /** Bytes of the head, and offset of the counts. */
  public static final long HEAD = 32;

  /** Offset of the count of a local expert. */
  public static long countAt(int expert) {
    return HEAD + 4L * expert;
  }

  /** Bytes of the whole block, a multiple of 16. */
  public long bytes() {
    return Align.part(HEAD + 4L * experts);
  }
}
