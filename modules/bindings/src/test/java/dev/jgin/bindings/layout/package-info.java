// SPDX-License-Identifier: Apache-2.0

/**
 * Holds every generated layout against the C compiler of this machine. Start at {@link
 * dev.jgin.bindings.layout.LayoutTest}.
 */
package dev.jgin.bindings.layout;
