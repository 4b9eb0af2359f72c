// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.verbs.device;

/**
 * What a device can do.
 *
 * @param workRequests most outstanding work requests of one queue pair
 * @param completions most entries of one completion queue
 * @param queuePairs most queue pairs
 * @param readsAsked most reads and atomics that one queue pair may have outstanding
 * @param readsAnswered most reads and atomics that one queue pair answers at a time
 * @param atomics whether it performs atomics
 * @param software whether it is a driver in the kernel (rxe, siw) and no adapter
 */
public record DeviceLimits(
    int workRequests,
    int completions,
    int queuePairs,
    int readsAsked,
    int readsAnswered,
    boolean atomics,
    boolean software) {}
