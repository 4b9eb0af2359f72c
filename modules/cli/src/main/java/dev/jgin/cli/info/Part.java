// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.info;

/** The parts of the report, in the order in which they are shown. */
public enum Part {
  /** Versions and what the machine has. */
  MACHINE,
  /** The devices of every carrier. */
  DEVICES,
  /** What every carrier promises, and which protocols that carries. */
  FABRICS,
  /** What jgin reads of its environment. */
  SETTINGS
}
