// SPDX-License-Identifier: Apache-2.0
package dev.jgin.bench;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Descriptors that one proxy thread gets through, against a twin of its loop in C++. */
final class ProxyRatios {
  private static final long BYTES = 64;
  private static final long ROW = 4096;

  private ProxyRatios() {}

  static void print(PrintStream out, String fabric) {
    out.printf(
        "%n# proxy: %d full rings of %d descriptors drained by one thread, batches of 64%n",
        ProxyWorld.CONTEXTS, ProxyWorld.RING);
    try (ProxyWorld none = new ProxyWorld("null", BYTES);
        ProxyWorld small = new ProxyWorld(fabric, BYTES);
        ProxyWorld rows = new ProxyWorld(fabric, ROW)) {
      List<InTurn.Task> tasks = new ArrayList<>();
      Optional<CProxy> twin = CProxy.of(none.filled());
      if (twin.isPresent()) {
        tasks.add(new InTurn.Task("C++ twin, null fabric", twin.get()::drain));
      } else {
        out.println("# no C++ twin: it needs a C++ compiler and cuda-kernels/include");
      }
      tasks.add(new InTurn.Task("proxy, null fabric", none::drain));
      tasks.add(new InTurn.Task("proxy, " + fabric + ", 64 B", small::drain));
      tasks.add(new InTurn.Task("proxy, " + fabric + ", 4096 B", rows::drain));
      out.printf(
          "# ratio: time to that of the first, median [quartiles] of the rounds%n"
              + "%32s %14s %12s  %22s%n",
          "loop", "ns/descriptor", "million/s", "ratio");
      for (InTurn.Figures f : InTurn.measure(tasks)) {
        double nanos = f.nanosPerCall() / none.filled().descriptors();
        String ratio =
            String.format(Locale.ROOT, "%.2f [%.2f, %.2f]", f.ratio(), f.lower(), f.upper());
        out.printf(Locale.ROOT, "%32s %14.1f %12.1f  %22s%n", f.name(), nanos, 1e3 / nanos, ratio);
      }
    }
  }
}
