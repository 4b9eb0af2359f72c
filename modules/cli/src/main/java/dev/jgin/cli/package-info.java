// SPDX-License-Identifier: Apache-2.0

/** The {@code jgin} command: options, reports and exit codes. No engine of its own. */
package dev.jgin.cli;
