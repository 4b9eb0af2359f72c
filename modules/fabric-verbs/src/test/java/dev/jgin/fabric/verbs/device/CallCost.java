// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.verbs.device;

import java.io.PrintStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * What a downcall costs by itself, plain and critical: functions of {@link ProviderStub} that do
 * nothing, with the arguments of {@code post_send} and {@code poll_cq}. No device. Each pair is
 * measured in turn; prints least, median and quartiles over the rounds, in nanoseconds a call.
 */
final class CallCost {

  private static final PrintStream OUT = System.out;
  private static final int CALLS = 200_000;

  private CallCost() {}

  /** Takes the number of rounds. */
  public static void main(String[] args) throws Exception {
    int rounds = Integer.parseInt(args[0]);
    Path folder = Files.createTempDirectory("jgin-calls");
    try (Arena arena = Arena.ofShared()) {
      ProviderStub stub = ProviderStub.load(folder, "libstub.so", arena);
      MemorySegment post = stub.function("post_nothing");
      MemorySegment poll = stub.function("poll_nothing");
      HotCalls plain = new HotCalls(post, poll, CriticalMode.OFF);
      HotCalls critical = new HotCalls(post, poll, CriticalMode.ON);
      MemorySegment chain = stub.chain;
      MemorySegment result = stub.result;
      // The same memory, but of no arena: nothing to keep open during the call.
      MemorySegment bareChain = MemorySegment.ofAddress(chain.address());
      MemorySegment bareResult = MemorySegment.ofAddress(result.address());
      MemorySegment pair = MemorySegment.ofAddress(stub.control.address());
      double[][] nanos = new double[8][rounds];
      for (int r = -rounds / 4; r < rounds; r++) {
        int at = Math.max(r, 0);
        nanos[0][at] = post(plain, pair, chain, result);
        nanos[1][at] = post(critical, pair, chain, result);
        nanos[2][at] = post(plain, pair, bareChain, bareResult);
        nanos[3][at] = post(critical, pair, bareChain, bareResult);
        nanos[4][at] = poll(plain, pair, result);
        nanos[5][at] = poll(critical, pair, result);
        nanos[6][at] = poll(plain, pair, bareResult);
        nanos[7][at] = poll(critical, pair, bareResult);
      }
      for (int i = 0; i < nanos.length; i++) {
        print(
            (i < 4 ? "post_send" : "poll_cq")
                + (i % 4 < 2 ? ", memory of a shared arena" : ", bare addresses")
                + (i % 2 == 0 ? ", plain" : ", critical"),
            nanos[i]);
      }
    }
  }

  private static double post(
      HotCalls calls, MemorySegment pair, MemorySegment chain, MemorySegment bad) {
    int sum = 0;
    long start = System.nanoTime();
    for (int i = 0; i < CALLS; i++) {
      sum += calls.post(pair, chain, bad);
    }
    return nanos(start, sum);
  }

  private static double poll(HotCalls calls, MemorySegment queue, MemorySegment into) {
    int sum = 0;
    long start = System.nanoTime();
    for (int i = 0; i < CALLS; i++) {
      sum += calls.poll(queue, 32, into);
    }
    return nanos(start, sum);
  }

  private static double nanos(long start, int sum) {
    long end = System.nanoTime();
    if (sum != 0) {
      throw new AssertionError("the stub returns 0");
    }
    return (double) (end - start) / CALLS;
  }

  private static void print(String what, double[] nanos) {
    Arrays.sort(nanos);
    int n = nanos.length;
    OUT.printf(
        "%-46s %7.1f least, %7.1f [%.1f, %.1f]%n",
        what, nanos[0], nanos[n / 2], nanos[n / 4], nanos[3 * n / 4]);
  }
}
