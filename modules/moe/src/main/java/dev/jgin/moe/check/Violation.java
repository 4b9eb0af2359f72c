// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.check;

/**
 * One thing found wrong in what a rank received.
 *
 * @param symptom what it would have done
 * @param check the check that stands against it
 * @param rank the rank that found it
 * @param peer the rank whose bytes are wrong, or {@link #UNKNOWN}
 * @param context the context that carried the row, or {@link #UNKNOWN}
 * @param row the receive slot, counted per peer (dispatch) or per rank (combine); for {@link
 *     Symptom#UNWRITTEN} the row of the output; or {@link #UNKNOWN}
 * @param expectedEpoch the epoch of the barrier that was passed
 * @param seenEpoch the epoch in the row's header, equal to {@code expectedEpoch} where the header
 *     is not what is wrong
 * @param detail operation, stream and the values that disagree
 */
public record Violation(
    Symptom symptom,
    Check check,
    int rank,
    int peer,
    int context,
    long row,
    long expectedEpoch,
    long seenEpoch,
    String detail) {

  /** Stands for a peer, context or row that cannot be told. */
  public static final int UNKNOWN = -1;

  /** Whether {@code other} reports the same thing wrong at the same place, in whatever words. */
  public boolean sameFinding(Violation other) {
    return symptom == other.symptom
        && check == other.check
        && peer == other.peer
        && row == other.row;
  }

  /** One line for messages and reports. */
  public String describe() {
    return symptom.label()
        + ": rank "
        + rank
        + ", peer "
        + orUnknown(peer)
        + ", context "
        + orUnknown(context)
        + ", row "
        + orUnknown(row)
        + ", epoch expected "
        + expectedEpoch
        + " seen "
        + seenEpoch
        + " ("
        + check
        + "; "
        + detail
        + ")";
  }

  private static String orUnknown(long value) {
    return value == UNKNOWN ? "unknown" : Long.toString(value);
  }
}
