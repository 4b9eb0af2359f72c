// SPDX-License-Identifier: Apache-2.0

/**
 * libibverbs as objects: devices, ports, memory regions, queue pairs, completion queues, events.
 * The only package of this room that calls native functions; every failure becomes a {@link
 * dev.jgin.fabric.verbs.VerbsException} that names what was asked for, errno and the remedy.
 *
 * <p>Start with {@link dev.jgin.fabric.verbs.device.Device}. Nothing here knows ranks or lanes.
 */
package dev.jgin.fabric.verbs.device;
