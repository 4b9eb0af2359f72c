// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.perf.report;

import java.util.List;

/**
 * What is measured, on what, how.
 *
 * @param version of jgin
 * @param test its name: {@code put_lat}
 * @param measures in a sentence
 * @param fabric the specification of the carrier
 * @param emulated whether the carrier stands in for hardware
 * @param axioms what the carrier promises
 * @param lanes device, link and the like of each rank's end, as the carrier tells it
 * @param ranks ranks of this process, each a platform thread
 * @param contexts contexts to each peer
 * @param depth puts outstanding on a context; 0 for tests of latency
 * @param puts whether barriers carry puts
 * @param iterations asked for; 0 if a duration was
 * @param seconds asked for; 0 if a number of iterations was
 * @param warmup rounds before the first size
 * @param waiting what a wait does between two looks
 * @param processors processors this process may use
 * @param seed of payload and carrier
 * @param allowUnsound whether the carrier may promise less than the test needs
 */
public record PerfSetting(
    String version,
    String test,
    String measures,
    String fabric,
    boolean emulated,
    String axioms,
    List<String> lanes,
    int ranks,
    int contexts,
    int depth,
    boolean puts,
    long iterations,
    long seconds,
    long warmup,
    String waiting,
    int processors,
    long seed,
    boolean allowUnsound) {}
