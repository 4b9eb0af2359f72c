// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gpu.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import dev.jgin.gin.BarrierProtocol;
import dev.jgin.gpu.proxy.ProxyWorld.Setting;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A step that allocated would do so in every operation; what start-up and the compiler allocate
 * comes in some of them only. So the least of many operations must be 0.
 */
class AllocationTest {
  private static final int EPOCHS = 300;
  private static final int MOST_STEPS = 10_000_000;

  @ParameterizedTest
  @EnumSource(BarrierProtocol.class)
  void shouldAllocateNothingAfterWarmUp(BarrierProtocol protocol) {
    Setting setting = Setting.of("emulated:granule=64", protocol, 1).world(3, 2).rings(8, EPOCHS);
    try (ProxyWorld world = new ProxyWorld(setting)) {
      ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
      long least = Long.MAX_VALUE;
      long inOperation = 0;
      long passed = 0;
      long before = 0;
      for (int steps = 0; !world.isDone(); steps++) {
        assertTrue(steps < MOST_STEPS, "it never ends");
        for (GpuTwin twin : world.twins) {
          before = threads.getCurrentThreadAllocatedBytes();
          twin.engine.step();
          inOperation += threads.getCurrentThreadAllocatedBytes() - before;
          twin.step();
        }
        long now = world.twins.getFirst().stream.passed(1);
        if (now != passed) {
          least = Math.min(least, inOperation);
          inOperation = 0;
          passed = now;
        }
      }
      assertEquals(0, world.stale());
      assertEquals(EPOCHS, passed);
      assertEquals(0, least, "bytes of a layer, " + protocol);
    }
  }
}
