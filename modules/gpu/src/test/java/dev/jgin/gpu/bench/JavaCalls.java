// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gpu.bench;

import dev.jgin.gpu.GpuContext;
import dev.jgin.gpu.GpuModule;
import dev.jgin.gpu.GpuStream;
import dev.jgin.gpu.HostMemory;
import dev.jgin.gpu.LaunchShape;
import dev.jgin.gpu.PreparedLaunch;
import dev.jgin.gpu.TestKernels;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.LinkedHashMap;
import java.util.Map;
import jcuda.Pointer;
import jcuda.driver.CUfunction;
import jcuda.driver.CUmodule;
import jcuda.driver.CUstream;
import jcuda.driver.JCudaDriver;

/** The calls from Java, through this room's prebuilt handles and through JCuda. */
final class JavaCalls implements AutoCloseable {
  private static final VarHandle WORD = ValueLayout.JAVA_LONG.varHandle();
  private static final long BELL = 0;
  private static final long REPLY = 512;
  private static final long OUT = 1024;
  private static final long DEADLINE_NANOS = 20_000_000_000L;

  private final Arena arena = Arena.ofConfined();
  private final GpuContext context;
  private final GpuModule module;
  private final GpuStream stream;
  private final HostMemory host;
  private final PreparedLaunch idle;
  private final PreparedLaunch dependent;
  private final PreparedLaunch ping;

  private final CUmodule jcudaModule = new CUmodule();
  private final CUfunction jcudaIdle = new CUfunction();
  private final CUstream jcudaStream = new CUstream();
  private final Pointer jcudaParameters = Pointer.to(Pointer.to(new byte[64]));

  JavaCalls(GpuContext context) {
    this.context = context;
    module = context.module("bench", TestKernels.ptx());
    stream = context.stream("bench");
    host = context.allocateHost("bell", 4096);
    LaunchShape shape = LaunchShape.of(1, 32, 0);
    idle = new PreparedLaunch(module.function("idle"), shape, stream, 64, arena);
    dependent = new PreparedLaunch(module.function("idle"), shape.asDependent(), stream, 64, arena);
    ping = new PreparedLaunch(module.function("ping"), LaunchShape.of(1, 1, 0), stream, 32, arena);
    JCudaDriver.cuModuleLoadData(jcudaModule, TestKernels.ptx());
    JCudaDriver.cuModuleGetFunction(jcudaIdle, jcudaModule, "idle");
    JCudaDriver.cuStreamCreate(jcudaStream, 1);
  }

  /** One run: nanoseconds by name. */
  Map<String, Double> measure() {
    Map<String, Double> nanos = new LinkedHashMap<>();
    batches(idle::launch); // warm-up
    nanos.put("launch-ex", batches(idle::launch));
    nanos.put("launch-dependent", batches(dependent::launch));
    nanos.put("jcuda-launch-plain", batches(this::launchByJcuda));
    nanos.put("stream-query", batches(stream::isDone));
    nanos.put("jcuda-stream-query", batches(() -> JCudaDriver.cuStreamQuery(jcudaStream)));
    nanos.put("ping", pingPong(CallBench.ROUNDS));
    return nanos;
  }

  private void launchByJcuda() {
    JCudaDriver.cuLaunchKernel(jcudaIdle, 1, 1, 1, 32, 1, 1, 0, jcudaStream, jcudaParameters, null);
  }

  private double batches(Runnable call) {
    double[] nanos = new double[CallBench.BATCHES];
    for (int batch = 0; batch < nanos.length; batch++) {
      long begin = System.nanoTime();
      for (int i = 0; i < CallBench.CALLS; i++) {
        call.run();
      }
      nanos[batch] = (double) (System.nanoTime() - begin) / CallBench.CALLS;
      context.synchronize();
    }
    return CallBench.medianOf(nanos);
  }

  private double pingPong(long rounds) {
    MemorySegment words = host.segment().fill((byte) 0);
    ping.argument().set(ValueLayout.JAVA_LONG, 0, host.address() + BELL);
    ping.argument().set(ValueLayout.JAVA_LONG, 8, host.address() + REPLY);
    ping.argument().set(ValueLayout.JAVA_LONG, 16, rounds);
    ping.argument().set(ValueLayout.JAVA_LONG, 24, host.address() + OUT);
    ping.launch();
    answer(words, rounds, System.nanoTime() + DEADLINE_NANOS);
    stream.synchronize();
    return (double) words.get(ValueLayout.JAVA_LONG, OUT) / rounds;
  }

  private static void answer(MemorySegment words, long rounds, long deadline) {
    int looks = 0;
    for (long round = 1; round <= rounds; ) {
      if ((long) WORD.getAcquire(words, BELL) == round) {
        WORD.setRelease(words, REPLY, round);
        round++;
      } else if ((++looks & 0xFFFFF) == 0 && System.nanoTime() - deadline > 0) {
        throw new IllegalStateException("the kernel does not ring for round " + round);
      }
    }
  }

  @Override
  public void close() {
    JCudaDriver.cuStreamDestroy(jcudaStream);
    JCudaDriver.cuModuleUnload(jcudaModule);
    host.close();
    stream.close();
    module.close();
    arena.close();
  }
}
