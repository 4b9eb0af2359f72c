// SPDX-License-Identifier: Apache-2.0
/**
 * NumPy's {@code .npy} and {@code .npz} files: enough of the format to read router ids and weights
 * and to write what an outside oracle checks. The format is NEP 1 and {@code numpy.lib.format}; why
 * it is read here and not by a library is in docs/decisions/0004-numpy-files.md.
 *
 * <p>Every number in a header is hostile until it has been compared with a limit. This package may
 * not know what the arrays mean.
 *
 * <p>Start with {@link dev.jgin.cli.npy.NpyArray}, then {@link dev.jgin.cli.npy.NpyReader} and
 * {@link dev.jgin.cli.npy.NpyWriter}.
 */
package dev.jgin.cli.npy;
