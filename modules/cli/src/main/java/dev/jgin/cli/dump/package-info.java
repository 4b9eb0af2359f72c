// SPDX-License-Identifier: Apache-2.0
/**
 * Writes what a run put in and got out, so that an oracle which is not ours can check it: NumPy
 * files of every rank and a manifest that says how to read them.
 *
 * <p>A dump is all there or not there: it grows in a hidden folder beside its place and is renamed
 * at the end; what ends the process earlier leaves nothing. Start with {@link
 * dev.jgin.cli.dump.Dump}; the files are those of {@code RankFiles}.
 */
package dev.jgin.cli.dump;
