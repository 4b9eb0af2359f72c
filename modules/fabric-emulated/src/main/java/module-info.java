// SPDX-License-Identifier: Apache-2.0

/** An in-process fabric whose ordering axioms are switches. */
module dev.jgin.fabric.emulated {
  requires transitive dev.jgin.gin;
}
