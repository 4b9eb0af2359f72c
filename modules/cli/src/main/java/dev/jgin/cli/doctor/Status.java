// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.doctor;

/** What is known of a thing that is needed. */
public enum Status {
  /** It is here. */
  OK,
  /** It is not here, or set so that it does not serve. */
  MISSING,
  /** This process cannot tell. */
  UNKNOWN
}
