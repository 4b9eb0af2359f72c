// SPDX-License-Identifier: Apache-2.0

/**
 * What {@code jgin info} shows: the machine, the devices and promises of every carrier, and the
 * settings that jgin reads. {@link dev.jgin.cli.info.InfoReport} holds it, {@link
 * dev.jgin.cli.info.InfoText} prints it for people and {@link dev.jgin.cli.info.InfoJson} for
 * programs.
 *
 * <p>Carriers are asked through their providers alone, and nothing here opens one. Start with
 * {@code InfoReport}.
 */
package dev.jgin.cli.info;
