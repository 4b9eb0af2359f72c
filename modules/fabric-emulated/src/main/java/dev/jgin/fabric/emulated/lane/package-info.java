// SPDX-License-Identifier: Apache-2.0

/**
 * The one model of a lane: which moves a queue pair may make, under switchable axioms, without any
 * clock or thread.
 *
 * <p>It may not know who drives it (virtual time, threads, an explorer, an emulated adapter) nor
 * where memory lives ({@link dev.jgin.fabric.emulated.lane.TargetMemory}). Start with {@link
 * dev.jgin.fabric.emulated.lane.LaneModel} and {@link dev.jgin.fabric.emulated.lane.LaneRules}.
 */
package dev.jgin.fabric.emulated.lane;
