// SPDX-License-Identifier: Apache-2.0
package dev.jgin.bench;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** What one descriptor costs a proxy thread: taken, checked, posted, given back. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class ProxyBench {
  private static final int DESCRIPTORS = ProxyWorld.CONTEXTS * (int) ProxyWorld.RING;

  /** {@code null}, or a specification such as {@code emulated}. */
  @Param({"null", "emulated"})
  public String fabric;

  /** Bytes of each put. */
  @Param({"64", "4096"})
  public long bytes;

  private ProxyWorld world;

  @Setup
  public void open() {
    world = new ProxyWorld(fabric, bytes);
  }

  @TearDown
  public void close() {
    world.close();
  }

  /** Rings that are full: the thread never waits for a producer. */
  @Benchmark
  @OperationsPerInvocation(DESCRIPTORS)
  public long drain() {
    return world.drain();
  }
}
