// SPDX-License-Identifier: Apache-2.0

/**
 * Who gets which row, as a pure function of the routing.
 *
 * <p>{@link dev.jgin.moe.plan.Placement} says which rank owns which expert, {@link
 * dev.jgin.moe.plan.SendPlan} which rows a rank sends and into which slots, {@link
 * dev.jgin.moe.plan.ReceivePlan} where received rows go in expert-major order. Slots are stable
 * prefix sums, never atomic counters, so the same routing gives the same bytes whatever the
 * schedule. Nothing here touches a buffer or a fabric.
 *
 * <p>Start with {@link dev.jgin.moe.plan.SendPlan}.
 */
package dev.jgin.moe.plan;
