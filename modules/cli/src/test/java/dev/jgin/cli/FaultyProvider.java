// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli;

import dev.jgin.fabric.emulated.EmulatedFabricProvider;
import dev.jgin.gin.LaneFailedException;
import dev.jgin.gin.spi.Bootstrap;
import dev.jgin.gin.spi.Fabric;
import dev.jgin.gin.spi.FabricProvider;
import dev.jgin.gin.spi.FabricSpec;
import dev.jgin.gin.spi.LaneStatus;
import dev.jgin.gin.spi.Region;
import dev.jgin.gin.spi.RegionKind;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The emulated carrier with one fault, which its option names: {@code half} writes the last byte of
 * a message alone, {@code lost} writes nothing, {@code twice} adds everything twice, {@code mute}
 * drops inline writes of data, {@code dies} fails every write of rank 1 after the first hundred.
 */
public final class FaultyProvider implements FabricProvider {
  private static final int ALIVE = 100;

  private final FabricProvider emulated = new EmulatedFabricProvider();

  @Override
  public String name() {
    return "faulty";
  }

  @Override
  public String summary() {
    return "for tests";
  }

  @Override
  public Optional<String> unavailabilityCause() {
    return Optional.empty();
  }

  @Override
  public Fabric open(FabricSpec spec, Bootstrap bootstrap) {
    String fault = spec.options().keySet().iterator().next();
    Fabric fabric =
        emulated.open(
            new FabricSpec("emulated", Map.of(), spec.contexts(), spec.seed()), bootstrap);
    AtomicInteger writes = new AtomicInteger();
    return (Fabric)
        Proxy.newProxyInstance(
            Fabric.class.getClassLoader(),
            new Class<?>[] {Fabric.class},
            (_, method, arguments) ->
                switch (fault + " " + method.getName()) {
                  case "half write" -> half(fabric, arguments);
                  case "lost write" -> lost(fabric, arguments);
                  case "twice atomicAdd" -> twice(fabric, arguments);
                  case "mute writeInline" -> mute(fabric, method, arguments);
                  case "dies write" -> {
                    if (fabric.rank() == 1 && writes.incrementAndGet() > ALIVE) {
                      throw new LaneFailedException(1, 0, 0, LaneStatus.RETRY_EXCEEDED);
                    }
                    yield call(fabric, method, arguments);
                  }
                  default -> call(fabric, method, arguments);
                });
  }

  private static Object call(Fabric fabric, Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(fabric, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private static long half(Fabric fabric, Object[] a) {
    long last = (long) a[6] - 1;
    return fabric.write(
        (int) a[0],
        (int) a[1],
        (Region) a[2],
        (long) a[3] + last,
        (Region) a[4],
        (long) a[5] + last,
        1);
  }

  private static long lost(Fabric fabric, Object[] a) {
    return fabric.write(
        (int) a[0], (int) a[1], (Region) a[2], (long) a[3], (Region) a[4], (long) a[5], 0);
  }

  private static long twice(Fabric fabric, Object[] a) {
    return fabric.atomicAdd((int) a[0], (int) a[1], (Region) a[2], (long) a[3], 2 * (long) a[4]);
  }

  private static Object mute(Fabric fabric, Method method, Object[] a) throws Throwable {
    Region target = (Region) a[2];
    if (target.kind() == RegionKind.SIGNAL) {
      return call(fabric, method, a);
    }
    return fabric.write((int) a[0], (int) a[1], target, (long) a[3], target, (long) a[3], 0);
  }
}
