// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.oracle;

/**
 * One value that is not what it must be.
 *
 * @param rank the rank that holds it
 * @param what which value: {@code payload}, {@code scale}, {@code origin} and so on
 * @param row the row of the output, or of the block of experts for counts and starts
 * @param element the element in the row, 0 where a row has one
 * @param expected the expected bits
 * @param seen the bits found
 */
public record Mismatch(int rank, String what, long row, long element, long expected, long seen) {
  /** One line for messages and reports. */
  public String describe() {
    return "rank %d: %s of row %d, element %d: expected 0x%x, seen 0x%x"
        .formatted(rank, what, row, element, expected, seen);
  }
}
