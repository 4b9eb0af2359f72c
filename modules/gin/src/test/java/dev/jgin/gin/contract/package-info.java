// SPDX-License-Identifier: Apache-2.0

/**
 * The suites that every carrier runs: a carrier's tests extend them and say how to open it.
 *
 * <p>{@code FabricContract} holds the carrier to the SPI, {@link
 * dev.jgin.gin.contract.ModelContract} and {@link dev.jgin.gin.contract.BarrierContract} hold the
 * model on top of it to its promises. All of them drive every rank from one thread, so a carrier
 * that needs a thread per rank fails them.
 */
package dev.jgin.gin.contract;
