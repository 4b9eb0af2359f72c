// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli;

/** What the process says when it ends. Scripts rely on these numbers. */
public final class ExitCode {
  /** Everything asked for was done and nothing was wrong. */
  public static final int OK = 0;

  /** Anything that is not one of the others: a deadline, a failed lane, a full disk, a bug. */
  public static final int OTHER = 1;

  /** The request itself: see {@link UsageException}. */
  public static final int USAGE = 2;

  /** A check found a violation, or a value differed from the oracle's. */
  public static final int VIOLATION = 3;

  private ExitCode() {}

  /** The code of several runs together: a broken run hides nothing, a violation neither. */
  public static int worse(int a, int b) {
    return severity(a) >= severity(b) ? a : b;
  }

  private static int severity(int code) {
    return switch (code) {
      case OK -> 0;
      case VIOLATION -> 1;
      case USAGE -> 2;
      default -> 3;
    };
  }
}
