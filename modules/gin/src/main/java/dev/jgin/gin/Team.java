// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gin;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Some ranks of a communicator in a fixed order; a rank's place in it is its <em>member</em>
 * number. Immutable.
 */
public final class Team {

  private final int[] worldRanks;
  private final int[] members;

  private Team(int[] worldRanks, int worldSize) {
    this.worldRanks = worldRanks;
    this.members = new int[worldSize];
    Arrays.fill(members, -1);
    for (int m = 0; m < worldRanks.length; m++) {
      int rank = worldRanks[m];
      if (rank < 0 || rank >= worldSize) {
        throw new IllegalArgumentException(
            "team member " + m + " is rank " + rank + ": ranks are 0.." + (worldSize - 1));
      }
      if (members[rank] >= 0) {
        throw new IllegalArgumentException("rank " + rank + " is twice in the team");
      }
      members[rank] = m;
    }
  }

  /** All ranks in order. */
  public static Team world(int worldSize) {
    return new Team(IntStream.range(0, worldSize).toArray(), worldSize);
  }

  /**
   * The given ranks in the given order.
   *
   * @throws IllegalArgumentException if none is given, one is out of range, or one is given twice
   */
  public static Team of(int worldSize, int... worldRanks) {
    if (worldRanks.length == 0) {
      throw new IllegalArgumentException("a team has at least one member");
    }
    return new Team(worldRanks.clone(), worldSize);
  }

  /** {@code size} ranks from {@code first} on, {@code stride} apart (a rail, for example). */
  public static Team strided(int worldSize, int first, int stride, int size) {
    return of(worldSize, IntStream.range(0, size).map(m -> first + m * stride).toArray());
  }

  /** Number of members. */
  public int size() {
    return worldRanks.length;
  }

  /** The rank of a member. */
  public int worldRank(int member) {
    return worldRanks[member];
  }

  /** The member number of a rank, or -1 if it is not in the team. */
  public int memberOf(int worldRank) {
    return members[worldRank];
  }

  @Override
  public String toString() {
    return worldRanks.length <= 16
        ? Arrays.toString(worldRanks)
        : "team of " + worldRanks.length + " ranks";
  }
}
