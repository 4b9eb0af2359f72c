// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gpu;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KernelImageTest {
  @AfterEach
  void forget() {
    System.clearProperty("jgin.kernels");
  }

  @Test
  void shouldReadTheFileThatIsNamed(@TempDir Path folder) throws IOException {
    byte[] code = {1, 2, 3};
    Path file = Files.write(folder.resolve("k.fatbin"), code);
    System.setProperty("jgin.kernels", file.toString());
    assertArrayEquals(code, KernelImage.read());
    Files.delete(file);
    assertThrows(UncheckedIOException.class, KernelImage::read);
  }
}
