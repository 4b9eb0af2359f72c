// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.doctor;

import java.util.List;

/** Looks at one matter. Reads only, changes nothing, and never throws for what is missing. */
interface Probe {

  /** What it found, in the order in which it should be read; at least one finding. */
  List<Finding> look();
}
