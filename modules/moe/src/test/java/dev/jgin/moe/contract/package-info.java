// SPDX-License-Identifier: Apache-2.0

/**
 * The suite that every expert-parallel engine passes, bit for bit, published as a test-jar.
 *
 * <p>An engine's module extends {@link dev.jgin.moe.contract.EpContract} and hands it an {@link
 * dev.jgin.moe.contract.EngineUnderTest} for each rank. Everything expected comes from {@code
 * dev.jgin.moe.oracle}; nothing here looks into an engine.
 *
 * <p>Start with {@link dev.jgin.moe.contract.EpContract}, then {@link dev.jgin.moe.contract.EpRun}.
 */
package dev.jgin.moe.contract;
