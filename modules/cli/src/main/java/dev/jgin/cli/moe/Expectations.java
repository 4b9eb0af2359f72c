// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.moe;

import dev.jgin.moe.oracle.DenseDispatch;
import dev.jgin.moe.oracle.OracleShape;
import dev.jgin.moe.oracle.RankInput;
import dev.jgin.moe.oracle.TokenPayload;
import dev.jgin.moe.oracle.Verifier;
import dev.jgin.moe.routing.Routing;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What each iteration must deliver: made when the first rank asks, freed when the last has
 * compared. Inputs are made a second time from the seed, never read back from the engine's memory.
 * Any thread may call it.
 */
final class Expectations implements AutoCloseable {
  private final OracleShape shape;
  private final TokenPayload payload;
  private final Batches batches;
  private final int streams;
  private final Map<Integer, Expected> iterations = new HashMap<>();

  Expectations(OracleShape shape, TokenPayload payload, Batches batches, int streams) {
    this.shape = shape;
    this.payload = payload;
    this.batches = batches;
    this.streams = streams;
  }

  /** One iteration. */
  static final class Expected {
    private final Arena arena = Arena.ofShared();
    private final List<RankInput> inputs;
    private final Verifier verifier;
    private int users;

    private Expected(OracleShape shape, TokenPayload payload, List<Routing> parts, long epoch) {
      inputs = new ArrayList<>();
      for (int rank = 0; rank < parts.size(); rank++) {
        inputs.add(payload.input(rank, parts.get(rank), epoch, arena));
      }
      verifier = new Verifier(new DenseDispatch(shape, inputs));
      users = parts.size();
    }

    Verifier verifier() {
      return verifier;
    }

    RankInput input(int rank) {
      return inputs.get(rank);
    }
  }

  /**
   * The epoch that the payload of iteration {@code index} is made with. Iterations of different
   * streams differ in it, and those that may stand in the same buffer differ in its two lowest bits
   * from the three before, which is what makes a stale element certain to show.
   */
  static long payloadEpoch(int index, int streams) {
    return (long) (index % streams) << 32 | index / streams;
  }

  /** What iteration {@code index} must deliver. */
  synchronized Expected of(int index) {
    return iterations.computeIfAbsent(
        index, i -> new Expected(shape, payload, batches.parts(i), payloadEpoch(i, streams)));
  }

  /** Notes that one rank needs iteration {@code index} no more. */
  synchronized void release(int index) {
    Expected expected = iterations.get(index);
    if (--expected.users == 0) {
      iterations.remove(index);
      expected.arena.close();
    }
  }

  @Override
  public synchronized void close() {
    iterations.values().forEach(expected -> expected.arena.close());
    iterations.clear();
  }
}
