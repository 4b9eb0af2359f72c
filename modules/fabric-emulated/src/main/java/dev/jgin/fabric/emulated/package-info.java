// SPDX-License-Identifier: Apache-2.0

/** The in-process fabric: lanes, axiom switches, schedulers and faults. */
package dev.jgin.fabric.emulated;
