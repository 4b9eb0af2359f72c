// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.emulated.lane;

/**
 * One step that a lane can make, packed into a long so that schedulers and explorers can queue,
 * hash and compare it without objects.
 *
 * <p>{@code kind} in bits 60..61, {@code times} in bits 56..57, {@code piece} in bits 48..53,
 * {@code ticket} in bits 0..47.
 */
public final class LaneMove {

  /** The next rung operation leaves: its payload is captured and the responder accepts it. */
  public static final int TRANSMIT = 0;

  /** The oldest transmitted operation is reported complete to the requester. */
  public static final int COMPLETE = 1;

  /** One piece of an accepted operation becomes visible. */
  public static final int EFFECT = 2;

  private static final long TICKET_MASK = (1L << 48) - 1;

  private LaneMove() {}

  /** The transmission of {@code ticket}. */
  public static long transmit(long ticket) {
    return ((long) TRANSMIT << 60) | ticket;
  }

  /** The completion of {@code ticket}. */
  public static long complete(long ticket) {
    return ((long) COMPLETE << 60) | ticket;
  }

  /**
   * Piece {@code piece} of {@code ticket} takes effect {@code times} times: always 1, except for
   * atomics without A6, where 0 and 2 exist too.
   */
  public static long effect(long ticket, int piece, int times) {
    return ((long) EFFECT << 60) | ((long) times << 56) | ((long) piece << 48) | ticket;
  }

  /** One of {@link #TRANSMIT}, {@link #COMPLETE}, {@link #EFFECT}. */
  public static int kind(long move) {
    return (int) (move >>> 60);
  }

  /** The operation's number on its lane, counted over all generations. */
  public static long ticket(long move) {
    return move & TICKET_MASK;
  }

  /** The piece of an effect. */
  public static int piece(long move) {
    return (int) (move >>> 48) & 63;
  }

  /** How often an effect happens. */
  public static int times(long move) {
    return (int) (move >>> 56) & 3;
  }

  /** For messages. */
  public static String describe(long move) {
    return switch (kind(move)) {
      case TRANSMIT -> "transmit op " + ticket(move);
      case COMPLETE -> "complete op " + ticket(move);
      default -> "effect of op " + ticket(move) + " piece " + piece(move) + " x" + times(move);
    };
  }
}
