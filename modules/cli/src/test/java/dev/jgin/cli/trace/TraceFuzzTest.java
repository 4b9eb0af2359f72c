// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.trace;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.jgin.cli.npy.NpyArray;
import dev.jgin.cli.npy.NpyFormatException;
import dev.jgin.cli.npy.NpyReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;

/**
 * Whatever the bytes, a reader returns a valid result or a message: no other exception, no endless
 * loop, no memory beyond the input's. {@code mvn test} replays the seeds under src/test/resources;
 * scripts/deep/20-fuzz-trace-readers.sh searches for more.
 */
class TraceFuzzTest {
  private static final TraceOptions OPTIONS = TraceOptions.defaults().withMaxTokens(1000);

  @FuzzTest(maxDuration = "60s")
  void shouldReadOrRefuseAnyLog(byte[] log) throws IOException {
    try {
      Trace trace = new JsonlTraceReader(new ByteArrayInputStream(log), "log", OPTIONS).read();
      assertTrue(trace.routing().tokens() > 0);
      assertTrue(trace.describe().startsWith("log: "));
    } catch (TraceException e) {
      assertTrue(e.getMessage().startsWith("log:"), e.getMessage());
    }
  }

  @FuzzTest(maxDuration = "60s")
  void shouldReadOrRefuseAnyArray(byte[] file) throws IOException {
    try {
      NpyArray array = NpyReader.read(new ByteArrayInputStream(file), "array");
      if (array.elements() > 0) {
        long[] last = new long[array.dimensions()];
        for (int d = 0; d < last.length; d++) {
          last[d] = array.extent(d) - 1;
        }
        array.doubleAt(last);
      }
    } catch (NpyFormatException e) {
      assertTrue(e.getMessage().startsWith("array: "), e.getMessage());
    }
  }
}
