// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.trace;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/**
 * Reads a trace in any of the formats of this package. Stateless.
 *
 * <p>{@code .npy} and {@code .npz} are told by the file's name; everything else is a JSONL log, see
 * {@link JsonlTraceReader}.
 */
public final class TraceReader {
  private TraceReader() {}

  /**
   * Reads a trace whose weights, if it has any, are in the same file.
   *
   * @throws IOException if the file cannot be read or used: usually a {@link TraceException} or a
   *     {@link dev.jgin.cli.npy.NpyFormatException}; the message is fit for a user
   */
  public static Trace read(Path file, TraceOptions options) throws IOException {
    return read(file, Optional.empty(), options);
  }

  /**
   * The same with the weights of an {@code .npy} trace in a file of their own.
   *
   * @throws IOException as above, and if {@code weights} is given for another kind of trace
   */
  public static Trace read(Path file, Optional<Path> weights, TraceOptions options)
      throws IOException {
    requireFile(file);
    if (weights.isPresent()) {
      requireFile(weights.get());
    }
    String name = file.toString().toLowerCase(Locale.ROOT);
    if (name.endsWith(".npy")) {
      return NumpyTraceReader.readNpy(file, weights, options);
    }
    if (weights.isPresent()) {
      throw new TraceException(
          file.toString(), "brings its own weights; a weights file goes with an .npy trace only");
    }
    if (name.endsWith(".npz")) {
      return NumpyTraceReader.readNpz(file, options);
    }
    try (InputStream in = Files.newInputStream(file)) {
      return new JsonlTraceReader(in, file.toString(), options).read();
    }
  }

  private static void requireFile(Path file) throws TraceException {
    if (!Files.exists(file)) {
      throw new TraceException(file.toString(), "no such file");
    }
    if (Files.isDirectory(file)) {
      throw new TraceException(file.toString(), "is a directory; name one trace file");
    }
    if (!Files.isReadable(file)) {
      throw new TraceException(file.toString(), "may not be read: check its permissions");
    }
  }
}
