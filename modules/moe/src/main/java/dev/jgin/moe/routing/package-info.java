// SPDX-License-Identifier: Apache-2.0
/**
 * Which experts each token goes to: the input of everything else in this module, and generators
 * that make it up.
 *
 * <p>A {@link dev.jgin.moe.routing.Routing} is immutable and valid by construction, so no code
 * behind it checks expert ids again. This package may not know where experts live or how rows move,
 * and it reads no files.
 *
 * <p>Start with {@link dev.jgin.moe.routing.Routing}, then {@link
 * dev.jgin.moe.routing.RoutingGenerator}.
 */
package dev.jgin.moe.routing;
