// SPDX-License-Identifier: Apache-2.0
package dev.jgin.bench;

import dev.jgin.moe.CombineMode;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * An expert-parallel layer of all ranks on one thread: the whole of it, its plan, and each of its
 * four passes.
 *
 * <p>The passes come in a fixed order, so each benchmark runs the others around its invocation.
 * That is what {@link Level#Invocation} is for, and its cost of two time stamps does not show: a
 * pass of the smallest size here takes over 100 µs.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class EpBench {

  /** The world of a layer. */
  @State(Scope.Thread)
  public static class Layer {
    /** A specification such as {@code emulated} or {@code emulated:adversarial}. */
    @Param("emulated")
    public String fabric;

    @Param("8")
    public int ranks;

    @Param("4")
    public int contexts;

    @Param({"1", "16", "128"})
    public int tokensPerRank;

    @Param("7168")
    public int hidden;

    @Param({"CANONICAL", "REDUCED"})
    public CombineMode mode;

    EpWorld world;

    @Setup
    public void open() {
      world = new EpWorld(fabric, ranks, contexts, tokensPerRank, hidden, mode);
    }

    @TearDown
    public void close() {
      world.close();
    }
  }

  /** Runs what follows a dispatch. */
  @State(Scope.Thread)
  public static class AfterDispatch {
    @TearDown(Level.Invocation)
    public void finish(Layer layer) {
      layer.world.epilogue();
      layer.world.combine();
      layer.world.reduce();
    }
  }

  /** Runs what surrounds an epilogue. */
  @State(Scope.Thread)
  public static class AroundEpilogue {
    @Setup(Level.Invocation)
    public void begin(Layer layer) {
      layer.world.dispatch();
    }

    @TearDown(Level.Invocation)
    public void finish(Layer layer) {
      layer.world.combine();
      layer.world.reduce();
    }
  }

  /** Runs what surrounds a combine. */
  @State(Scope.Thread)
  public static class AroundCombine {
    @Setup(Level.Invocation)
    public void begin(Layer layer) {
      layer.world.dispatch();
      layer.world.epilogue();
    }

    @TearDown(Level.Invocation)
    public void finish(Layer layer) {
      layer.world.reduce();
    }
  }

  /** Runs what comes before a reduction. */
  @State(Scope.Thread)
  public static class BeforeReduce {
    @Setup(Level.Invocation)
    public void begin(Layer layer) {
      layer.world.dispatch();
      layer.world.epilogue();
      layer.world.combine();
    }
  }

  @Benchmark
  public void layer(Layer layer) {
    layer.world.layer();
  }

  @Benchmark
  public void plan(Layer layer) {
    layer.world.plan();
  }

  @Benchmark
  public void dispatch(Layer layer, AfterDispatch after) {
    layer.world.dispatch();
  }

  @Benchmark
  public void epilogue(Layer layer, AroundEpilogue around) {
    layer.world.epilogue();
  }

  @Benchmark
  public void combine(Layer layer, AroundCombine around) {
    layer.world.combine();
  }

  @Benchmark
  public void reduce(Layer layer, BeforeReduce before) {
    layer.world.reduce();
  }
}
