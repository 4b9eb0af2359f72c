// SPDX-License-Identifier: Apache-2.0

/**
 * The suites that every carrier runs: a carrier's tests extend them and say how to open it.
 *
 * <p>{@link dev.jgin.gin.contract.FabricContract} holds the carrier to the SPI and to the promises
 * that it declares, {@link dev.jgin.gin.contract.ModelContract} and {@link
 * dev.jgin.gin.contract.BarrierContract} hold the model on top of it to its promises. Those drive
 * every rank from one thread, so a carrier that needs a thread per rank fails them. {@link
 * dev.jgin.gin.contract.AxiomProbe} also serves as positive control for a promise not made.
 *
 * <p>Nothing here may know a concrete carrier, count on real time, or skip on a violation.
 */
package dev.jgin.gin.contract;
