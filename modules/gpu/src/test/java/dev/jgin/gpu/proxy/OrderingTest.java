// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gpu.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jgin.gin.BarrierProtocol;
import dev.jgin.gpu.proxy.ProxyWorld.Setting;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The race, end to end through rings and proxies: on a carrier that promises what RC verbs promise
 * and not one thing more, rows are stale behind the unsound protocols and behind those alone.
 */
class OrderingTest {
  private static final int SEEDS = 4;
  private static final EnumSet<BarrierProtocol> UNSOUND =
      EnumSet.of(BarrierProtocol.SINGLE_CONTEXT, BarrierProtocol.FLUSH_THEN_SINGLE_CONTEXT);

  @ParameterizedTest
  @EnumSource(BarrierProtocol.class)
  void shouldLetOnlyUnsoundProtocolsSpeakForRowsThatAreNotHere(BarrierProtocol protocol) {
    List<Long> stale = new ArrayList<>();
    for (long seed = 1; seed <= SEEDS; seed++) {
      stale.add(run(Setting.of("emulated:adversarial", protocol, seed)));
    }
    System.out.println("stale words, " + protocol + ": " + stale);
    if (UNSOUND.contains(protocol)) {
      assertTrue(stale.stream().allMatch(words -> words > 0), stale::toString);
    } else {
      assertTrue(stale.stream().allMatch(words -> words == 0), stale::toString);
    }
  }

  @Test
  void shouldServeManyRanksThroughTheSmallestRings() {
    Setting setting =
        Setting.of("emulated:adversarial", BarrierProtocol.FAN_IN_USED_CONTEXTS, 7)
            .world(8, 4)
            .rings(2, 10);
    assertEquals(0, run(setting));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 1000})
  void shouldWaitForRoomOnShallowLanes(int batch) {
    Setting setting =
        Setting.of("emulated:adversarial,depth=1", BarrierProtocol.FAN_IN_ALL_CONTEXTS, batch);
    Setting batched =
        new Setting(
            setting.fabric(),
            3,
            2,
            setting.seed(),
            setting.protocol(),
            16,
            15,
            setting.options().withBatch(batch),
            setting.faults());
    assertEquals(0, run(batched));
  }

  private static long run(Setting setting) {
    try (ProxyWorld world = new ProxyWorld(setting)) {
      world.run();
      for (GpuTwin twin : world.twins) {
        twin.stream.requireUsable();
        assertEquals(setting.epochs(), twin.stream.passed(0));
        assertEquals(setting.epochs(), twin.stream.passed(1));
        assertTrue(twin.engine.isIdle());
      }
      return world.stale();
    }
  }
}
