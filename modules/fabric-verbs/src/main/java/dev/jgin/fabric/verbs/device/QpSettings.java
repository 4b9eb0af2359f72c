// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.verbs.device;

/**
 * What all queue pairs of a fabric have in common.
 *
 * @param port port number
 * @param gidIndex the GID that packets come from
 * @param globalRoute whether packets carry a global route header
 * @param timeout acknowledgement timeout: 4.096 µs × 2^timeout; 0 is for ever
 * @param retries how often a packet is sent again
 * @param receiverRetries how often a receiver that is not ready is asked again; 7 is for ever
 * @param depth most outstanding work requests
 * @param inlineBytes longest payload that travels inside the work request
 */
public record QpSettings(
    int port,
    int gidIndex,
    boolean globalRoute,
    int timeout,
    int retries,
    int receiverRetries,
    int depth,
    int inlineBytes) {}
