// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.contract;

import dev.jgin.moe.oracle.OracleShape;
import dev.jgin.moe.oracle.RankInput;
import dev.jgin.moe.oracle.TokenPayload;
import java.lang.foreign.Arena;

/**
 * Routings of one kind with payload that no two epochs, ranks, streams or tokens share.
 *
 * @param everyNth epochs for which a routing stays the same; 1 for a new one each epoch
 */
public record GeneratedBatches(
    BatchKind kind, OracleShape shape, int topK, int tokens, int everyNth, long seed)
    implements Batches {

  @Override
  public RankInput input(int rank, int stream, int epoch) {
    int planned = (epoch - 1) / everyNth + 1;
    long streamSeed = BatchKind.mix(seed, stream);
    return new TokenPayload(shape, streamSeed)
        .input(
            rank,
            kind.routing(shape.experts(), topK, shape.ranks(), tokens, rank, planned, streamSeed),
            epoch,
            Arena.ofAuto());
  }

  @Override
  public boolean cached(int epoch) {
    return (epoch - 1) % everyNth != 0;
  }
}
