// SPDX-License-Identifier: Apache-2.0

/**
 * What other rooms fill: carriers ({@link dev.jgin.gin.spi.Fabric}, found through {@link
 * dev.jgin.gin.spi.FabricProvider}), how ranks find each other ({@link dev.jgin.gin.spi.Bootstrap})
 * and what recovery needs of a lane ({@link dev.jgin.gin.spi.LaneControl}).
 *
 * <p>Start with {@link dev.jgin.gin.spi.Fabric}; {@link dev.jgin.gin.spi.Axiom} says what a carrier
 * can promise beyond it. Nothing here may know a concrete carrier, and nothing here is native.
 */
package dev.jgin.gin.spi;
