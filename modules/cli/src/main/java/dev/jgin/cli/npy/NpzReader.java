// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.npy;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;

/** Reads single arrays of an {@code .npz} archive, stored or compressed. Stateless. */
public final class NpzReader {
  private static final int NAMES_SHOWN = 20;

  private NpzReader() {}

  /**
   * The array that {@code numpy.savez} was given as {@code name}, or empty if there is none.
   *
   * @throws NpyFormatException if the file is not an archive, or the member is not a readable array
   */
  public static Optional<NpyArray> read(Path file, String name) throws IOException {
    try (ZipFile zip = new ZipFile(file.toFile())) {
      ZipEntry entry = zip.getEntry(name + ".npy");
      if (entry == null) {
        return Optional.empty();
      }
      String source = file + "!" + entry.getName();
      try (InputStream in = new BufferedInputStream(zip.getInputStream(entry))) {
        return Optional.of(NpyReader.read(in, source));
      } catch (ZipException e) {
        throw new NpyFormatException(source, "cannot be unpacked: " + e.getMessage(), e);
      }
    } catch (ZipException e) {
      throw notAnArchive(file, e);
    }
  }

  /** The names of the members, for messages: the first {@value #NAMES_SHOWN}. */
  public static String names(Path file) throws IOException {
    try (ZipFile zip = new ZipFile(file.toFile())) {
      return zip.stream()
          .limit(NAMES_SHOWN)
          .map(ZipEntry::getName)
          .collect(Collectors.joining(", "));
    } catch (ZipException e) {
      throw notAnArchive(file, e);
    }
  }

  private static NpyFormatException notAnArchive(Path file, ZipException cause) {
    return new NpyFormatException(
        file.toString(),
        "is not an .npz archive (" + cause.getMessage() + "); write it with numpy.savez",
        cause);
  }
}
