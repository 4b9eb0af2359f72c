// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.verbs.queue;

/**
 * The 64 bits that a work request carries into its completion: low 16 bits of the lane's
 * generation, 16 bits of peer, low 32 bits of the ticket.
 *
 * <p>The generation is there because completions of a queue pair that was replaced may still wait
 * in the completion queue when its successor posts the same tickets again.
 */
public final class WorkId {

  private WorkId() {}

  /** Packs. */
  public static long of(long generation, int peer, long ticket) {
    return (generation << 48) | ((long) peer << 32) | (ticket & 0xffff_ffffL);
  }

  /** The peer of a lane. */
  public static int peer(long id) {
    return (int) (id >>> 32) & 0xffff;
  }

  /** The low half of the ticket. */
  public static int ticket(long id) {
    return (int) id;
  }

  /** Whether the work was of {@code generation}. */
  public static boolean isOf(long id, long generation) {
    return (int) (id >>> 48) == (int) (generation & 0xffff);
  }
}
