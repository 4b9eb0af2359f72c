// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.contract;

import dev.jgin.moe.oracle.Verdict;
import java.util.List;

/**
 * What a run produced.
 *
 * @param verdict all comparisons of all ranks
 * @param combined the combined rows by {@code [rank][stream][epoch - 1]}
 */
public record EpOutcome(Verdict verdict, List<List<List<byte[]>>> combined) {}
