// SPDX-License-Identifier: Apache-2.0

/**
 * What {@code jgin doctor} finds: for each thing that a way to a peer needs whether it is here,
 * what its absence disables, and how to get it.
 *
 * <p>A {@link dev.jgin.cli.doctor.Probe} looks at one matter and says its findings; it reads files
 * below a {@link dev.jgin.cli.doctor.Host}, or asks a carrier or the driver, and changes nothing.
 * Start with {@link dev.jgin.cli.doctor.Examination}.
 */
package dev.jgin.cli.doctor;
