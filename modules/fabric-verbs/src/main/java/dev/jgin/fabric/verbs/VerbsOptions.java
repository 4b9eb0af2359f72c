// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.verbs;

import dev.jgin.fabric.verbs.device.CriticalMode;
import java.util.List;

/**
 * Options of a {@code verbs} specification.
 *
 * @param devices names; rank r uses number r modulo their count; empty: the first of the machine
 * @param port port number
 * @param gid index into the port's GIDs, −1 for the one that suits
 * @param mtu path MTU in bytes, 0 for that of the port
 * @param depth operations outstanding on a lane, a power of two; 0 for what the device allows
 * @param relaxed whether DATA regions are registered with relaxed ordering
 * @param timeout acknowledgement timeout: 4.096 µs × 2^timeout
 * @param retries how often a packet is sent again
 * @param receiverRetries how often a receiver that is not ready is asked again; 7 is for ever
 * @param inline longest payload in bytes that travels inside the work request
 * @param critical which calls of the hot path are critical ones
 * @param firstPsn packet number that every lane begins with, −1 for a random one
 * @param connectSeconds how long the slowest rank may take to come to an exchange
 */
record VerbsOptions(
    List<String> devices,
    int port,
    int gid,
    int mtu,
    int depth,
    boolean relaxed,
    int timeout,
    int retries,
    int receiverRetries,
    int inline,
    CriticalMode critical,
    int firstPsn,
    int connectSeconds) {

  VerbsOptions {
    devices = List.copyOf(devices);
  }

  /** The device of a rank; empty for the machine's first. */
  String device(int rank) {
    return devices.isEmpty() ? "" : devices.get(rank % devices.size());
  }
}
