// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.report;

/**
 * What was run: enough to run it again.
 *
 * @param version of jgin
 * @param fabric the specification of the carrier
 * @param emulated whether the carrier is one of those that stand in for hardware
 * @param axioms what the carrier promises
 * @param virtualTime whether times are those of a simulated clock, and no throughput can be told
 * @param processors processors on which the ranks took turns
 * @param barrier name of the protocol
 * @param allowUnsound whether it might be one that the carrier does not support
 * @param notPromised why it is one; null if it is not
 * @param afterConnect the command that was run when the lanes were connected; null if none was
 * @param seed of routing, payload and carrier
 * @param shape the numbers of the layer
 * @param routing where the tokens' experts come from
 * @param tokens tokens of all ranks in the timed iterations
 * @param iterations timed iterations
 * @param warmup iterations before those
 * @param verify whether every value was compared with the oracle's
 * @param bytesPerRank off-heap bytes of one rank's buffers; 0 if there was no engine
 * @param budgetPerRank most bytes that were allowed
 */
public record Setting(
    String version,
    String fabric,
    boolean emulated,
    String axioms,
    boolean virtualTime,
    int processors,
    String barrier,
    boolean allowUnsound,
    String notPromised,
    String afterConnect,
    long seed,
    Shape shape,
    String routing,
    long tokens,
    int iterations,
    int warmup,
    boolean verify,
    long bytesPerRank,
    long budgetPerRank) {

  /** The numbers of the layer, by their names on the command line. */
  public record Shape(
      int ranks,
      int contexts,
      int streams,
      int experts,
      int topK,
      int tokensPerRank,
      int hidden,
      String dtype,
      String scales,
      String combineDtype,
      String layout,
      int align,
      String combine,
      boolean audit) {}
}
