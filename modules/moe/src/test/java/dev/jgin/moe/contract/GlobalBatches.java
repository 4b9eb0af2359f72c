// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.contract;

import dev.jgin.moe.oracle.OracleShape;
import dev.jgin.moe.oracle.RankInput;
import dev.jgin.moe.oracle.TokenPayload;
import dev.jgin.moe.routing.Routing;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.IntFunction;

/**
 * One batch of tokens for the whole team, split in token order: the tokens and their payload are
 * the same at every number of ranks.
 *
 * @param routing the routing of all tokens in an epoch
 */
record GlobalBatches(OracleShape shape, IntFunction<Routing> routing) implements Batches {
  private static final int TOKENS = 40;

  @Override
  public RankInput input(int rank, int stream, int epoch) {
    List<Routing> parts = Routing.split(routing.apply(epoch), shape.ranks());
    int from = parts.subList(0, rank).stream().mapToInt(Routing::tokens).sum();
    Routing own = parts.get(rank);
    Arena arena = Arena.ofAuto();
    MemorySegment tokens = arena.allocate(Math.max(1, own.tokens() * shape.rowBytes()), 64);
    MemorySegment scales = arena.allocate(Math.max(1, own.tokens() * shape.scaleBytes()), 64);
    TokenPayload payload = new TokenPayload(shape, 5 + stream);
    for (int t = 0; t < own.tokens(); t++) {
      payload.writeRow(0, from + t, epoch, tokens, t * shape.rowBytes());
      payload.writeScales(0, from + t, epoch, scales, t * shape.scaleBytes());
    }
    return new RankInput(own, tokens, scales);
  }

  /** A canonical case over {@code ranks} ranks. */
  static EpCase of(Carrier carrier, int ranks) {
    EpCase test = CaseBuilder.on(carrier).world(ranks, 3).tokens(BatchKind.MASKED, TOKENS).build();
    IntFunction<Routing> routing =
        epoch -> BatchKind.MASKED.routing(16, 4, 1, TOKENS, 0, epoch, 99);
    return test.with(new GlobalBatches(test.shape(), routing));
  }
}
