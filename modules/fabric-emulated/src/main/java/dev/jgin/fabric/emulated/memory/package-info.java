// SPDX-License-Identifier: Apache-2.0

/**
 * Registered host memory of an emulated world: who registered what, where it is, and stores with
 * the order that a carrier promises.
 *
 * <p>It knows nothing of lanes or time. Start with {@link
 * dev.jgin.fabric.emulated.memory.RegionRegistry}; {@link dev.jgin.fabric.emulated.memory.Stores}
 * is the granule contract.
 */
package dev.jgin.fabric.emulated.memory;
