// SPDX-License-Identifier: Apache-2.0

/**
 * What ranks tell each other through the bootstrap: endpoints of lanes, keys of regions, and
 * whether they managed. Little-endian, versioned, decoded strictly.
 *
 * <p>Start with {@link dev.jgin.fabric.verbs.wire.Exchange}. Nothing here calls a native function.
 */
package dev.jgin.fabric.verbs.wire;
