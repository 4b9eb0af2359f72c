// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gpu;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Finds the kernels' machine code: the file that the system property {@code jgin.kernels} names,
 * else {@value #RESOURCE} beside the classes. Stateless.
 */
public final class KernelImage {
  /** The resource of this room. */
  public static final String RESOURCE = "dev/jgin/gpu/kernels.fatbin";

  private KernelImage() {}

  /**
   * The code.
   *
   * @throws IllegalStateException if there is none, saying where it was looked for
   */
  public static byte[] read() {
    String named = System.getProperty("jgin.kernels");
    try {
      if (named != null) {
        return Files.readAllBytes(Path.of(named));
      }
      // Read here: a module shows the resources of its packages to itself alone.
      try (InputStream in = KernelImage.class.getResourceAsStream("/" + RESOURCE)) {
        if (in != null) {
          return in.readAllBytes();
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("the kernels cannot be read", e);
    }
    throw new IllegalStateException(
        "no kernels: there is no resource "
            + RESOURCE
            + " and -Djgin.kernels names no file; run scripts/build-kernels where there is nvcc");
  }
}
