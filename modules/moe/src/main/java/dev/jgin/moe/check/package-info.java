// SPDX-License-Identifier: Apache-2.0

/**
 * What is checked on every dispatch and combine, and how a failed check is named.
 *
 * <p>{@link dev.jgin.moe.check.Check} lists the always-on checks, {@link
 * dev.jgin.moe.check.Violation} is what a failed one reports, {@link dev.jgin.moe.check.Forensics}
 * tells afterwards what an engine without the checks would have done with the same bytes. Nothing
 * here repairs or retries: once a barrier is passed its senders have moved on.
 *
 * <p>Start with {@link dev.jgin.moe.check.Symptom}.
 */
package dev.jgin.moe.check;
