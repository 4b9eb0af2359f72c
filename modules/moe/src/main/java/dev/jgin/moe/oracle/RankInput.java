// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.oracle;

import dev.jgin.moe.routing.Routing;
import java.lang.foreign.MemorySegment;

/**
 * What one rank brings to a dispatch.
 *
 * @param routing the experts and weights of its tokens
 * @param tokens payload: token {@code t} begins at {@code t * OracleShape.rowBytes()}
 * @param scales scales: those of token {@code t} begin at {@code t * OracleShape.scaleBytes()};
 *     empty without scales
 */
public record RankInput(Routing routing, MemorySegment tokens, MemorySegment scales) {}
