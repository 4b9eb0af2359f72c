// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gpu;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;

/** The kernels of tests and benchmarks, as PTX: {@code kernels.ptx}. */
public final class TestKernels {
  private TestKernels() {}

  /** Their text, ending in a zero as the driver wants it. */
  public static byte[] ptx() {
    try (InputStream in = TestKernels.class.getResourceAsStream("kernels.ptx")) {
      byte[] text = in.readAllBytes();
      return Arrays.copyOf(text, text.length + 1);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
