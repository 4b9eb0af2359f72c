// SPDX-License-Identifier: Apache-2.0

/**
 * Runs tests by their tag where there is no Maven: {@code scripts/gpu-test}, in the checkout or on
 * a machine that has nothing but the bundle of {@code scripts/gpu-bundle}. Start with {@link
 * dev.jgin.gin.runner.TaggedRun}.
 */
package dev.jgin.gin.runner;
