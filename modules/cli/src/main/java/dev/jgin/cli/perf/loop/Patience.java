// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.perf.loop;

import dev.jgin.gin.Communicator;
import dev.jgin.gin.DeadlineException;

/**
 * One rank's waits for memory that a peer writes and for completions: each turn that found nothing
 * lets the carrier move, looks at the error words, and waits as the communicator's strategy says,
 * until the communicator's deadline. One thread at a time; allocates nothing unless it throws.
 */
final class Patience {
  private final Communicator comm;
  private long since;

  Patience(Communicator comm) {
    this.comm = comm;
  }

  /**
   * Turn {@code round} (0, 1, 2, …) of a wait that found nothing.
   *
   * @throws DeadlineException if the wait has lasted too long
   * @throws dev.jgin.gin.LaneFailedException if a lane of this rank has failed
   */
  void idle(int round, String what) {
    long now = comm.nowNanos();
    if (round == 0) {
      since = now;
    } else if (now - since >= comm.options().timeoutNanos()) {
      throw new DeadlineException(comm.rank(), what, comm.options().timeoutNanos());
    }
    comm.progress();
    comm.checkLanes();
    comm.options().waiting().idle(round);
  }
}
