// SPDX-License-Identifier: Apache-2.0
package dev.jgin.bench;

import dev.jgin.gin.Communicator;
import dev.jgin.gin.CommunicatorOptions;
import dev.jgin.gin.Context;
import dev.jgin.gin.DeadlineException;
import dev.jgin.gin.LocalWorld;
import dev.jgin.gin.Window;
import dev.jgin.gin.spi.FabricSpec;
import java.util.List;
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

/** Put, signal and flush on one lane; sender and receiver share a thread. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class LaneBench {
  private static final int SIGNAL = 0;

  /** Each half of the window: the source, then the target. */
  private static final long HALF = 65_536;

  /** A specification such as {@code emulated} or {@code emulated:adversarial}. */
  @Param("emulated")
  public String fabric;

  /** Apart from the lane, so that what puts nothing is not measured once per size. */
  @State(Scope.Thread)
  public static class Size {
    /** Bytes of one put. */
    @Param({"8", "4096", "65536"})
    public long bytes;
  }

  private LocalWorld world;
  private Communicator sender;
  private Communicator receiver;
  private Context context;
  private Window window;

  @Setup
  public void open() {
    world = LocalWorld.open(FabricSpec.parse(fabric, 1, 1L), 2, CommunicatorOptions.defaults());
    List<Window> windows = world.onEachRank(comm -> comm.registerWindow("rows", 2 * HALF));
    sender = world.communicator(0);
    receiver = world.communicator(1);
    context = sender.context(0);
    window = windows.getFirst();
  }

  @TearDown
  public void close() {
    world.close();
  }

  /** Until the source is reusable. Says nothing about the target. */
  @Benchmark
  public void putThenFlush(Size size) {
    put(size.bytes);
    flush();
  }

  /** Until the receiver, told by a signal of the same context, may read the bytes. */
  @Benchmark
  public void putUntilSignalled(Size size) {
    long start = sender.nowNanos();
    while (!context.tryPutSignal(1, window, HALF, window, 0, size.bytes, SIGNAL, 1)) {
      move(start, "room for put and signal");
    }
    awaitSignal();
  }

  /** A signal alone, until the receiver sees it. */
  @Benchmark
  public void signal() {
    long start = sender.nowNanos();
    while (!context.trySignal(1, SIGNAL, 1)) {
      move(start, "room for a signal");
    }
    awaitSignal();
  }

  private void put(long bytes) {
    long start = sender.nowNanos();
    while (!context.tryPut(1, window, HALF, window, 0, bytes)) {
      move(start, "room for a put");
    }
  }

  private void flush() {
    long start = sender.nowNanos();
    while (!context.flushed(1)) {
      move(start, "completion of a put");
    }
  }

  private void awaitSignal() {
    Context target = receiver.context(0);
    target.signals().increaseShadow(SIGNAL, 1);
    long start = receiver.nowNanos();
    while (!target.signals().reached(SIGNAL, target.signals().shadow(SIGNAL))) {
      move(start, "a signal");
    }
  }

  private void move(long start, String what) {
    sender.progress();
    receiver.progress();
    long timeout = sender.options().timeoutNanos();
    if (sender.nowNanos() - start > timeout) {
      throw new DeadlineException(sender.rank(), what, timeout);
    }
  }
}
