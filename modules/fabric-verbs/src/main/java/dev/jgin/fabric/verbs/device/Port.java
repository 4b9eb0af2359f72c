// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.verbs.device;

/**
 * One port of a device as it was when asked.
 *
 * @param number from 1
 * @param active whether its link is up
 * @param state in the library's words, for messages
 * @param mtu bytes of payload that one packet may carry now
 * @param lid local identifier; 0 on Ethernet
 * @param ethernet whether its link layer is Ethernet (RoCE)
 * @param globalRoute whether every packet must carry a global route header
 * @param messageBytes longest message
 */
public record Port(
    int number,
    boolean active,
    String state,
    int mtu,
    int lid,
    boolean ethernet,
    boolean globalRoute,
    long messageBytes) {}
