// SPDX-License-Identifier: Apache-2.0

/**
 * The in-process carrier: ranks of one JVM, {@code emulated} in a fabric specification.
 *
 * <p>{@link dev.jgin.fabric.emulated.EmulatedFabricProvider} opens one of two kinds. Plain ({@code
 * emulated}) performs operations at once and is the fast default. Modelled ({@code
 * emulated:adversarial}, {@code emulated:ordered}) runs every lane on {@link
 * dev.jgin.fabric.emulated.lane.LaneModel} and breaks each axiom that is switched off. Nothing here
 * is native.
 */
package dev.jgin.fabric.emulated;
