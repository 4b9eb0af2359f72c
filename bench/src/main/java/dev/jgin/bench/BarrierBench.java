// SPDX-License-Identifier: Apache-2.0
package dev.jgin.bench;

import dev.jgin.gin.BarrierProtocol;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** One barrier epoch of all ranks on one thread, by protocol, contexts and ranks. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class BarrierBench {

  /** A specification such as {@code emulated} or {@code emulated:adversarial}. */
  @Param("emulated")
  public String fabric;

  @Param public BarrierProtocol protocol;

  @Param({"1", "4", "16"})
  public int contexts;

  @Param({"2", "8", "32"})
  public int ranks;

  private BarrierWorld world;

  @Setup
  public void open() {
    world = new BarrierWorld(fabric, protocol, contexts, ranks);
  }

  @TearDown
  public void close() {
    world.close();
  }

  @Benchmark
  public void epoch() {
    world.epoch();
  }
}
