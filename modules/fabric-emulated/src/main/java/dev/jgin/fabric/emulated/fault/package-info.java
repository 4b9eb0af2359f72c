// SPDX-License-Identifier: Apache-2.0

/**
 * Faults as a decorator around any carrier: {@link dev.jgin.fabric.emulated.fault.FaultyFabric}
 * passes everything on except what a {@link dev.jgin.fabric.emulated.fault.FaultPlan} says. Faults
 * are set off by ticket numbers, never by a clock, so that a plan replays.
 *
 * <p>It may use the SPI alone, so that the same faults reach a real adapter.
 */
package dev.jgin.fabric.emulated.fault;
