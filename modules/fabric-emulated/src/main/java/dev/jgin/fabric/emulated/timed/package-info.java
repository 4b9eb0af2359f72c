// SPDX-License-Identifier: Apache-2.0

/**
 * Carriers of lane models in time: virtual on one thread, or real on delivering threads.
 *
 * <p>It decides when an allowed move happens, never which moves are allowed: that is {@link
 * dev.jgin.fabric.emulated.lane.LaneModel}'s, which checks each delivery. To stay fast, a write of
 * many granules becomes visible in a few seeded pieces (up to 3 with A1w, up to 8 without) instead
 * of one move per granule; rows are still seen in part.
 *
 * <p>Start with {@code Timeline}, then {@code VirtualScheduler}; {@link
 * dev.jgin.fabric.emulated.timed.TimedFabric} is the SPI's face of it.
 */
package dev.jgin.fabric.emulated.timed;
