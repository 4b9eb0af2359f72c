// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli;

import dev.jgin.fabric.emulated.EmulatedFabricProvider;
import dev.jgin.gin.spi.Axiom;
import dev.jgin.gin.spi.Axioms;
import dev.jgin.gin.spi.Bootstrap;
import dev.jgin.gin.spi.Fabric;
import dev.jgin.gin.spi.FabricProvider;
import dev.jgin.gin.spi.FabricSpec;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.EnumSet;
import java.util.Optional;

/**
 * The emulated carrier with a promise that it does not keep: operations of different lanes in
 * order. A protocol that needs it is let through, and the checks must catch what follows.
 */
public final class OverstatingProvider implements FabricProvider {
  private final FabricProvider emulated = new EmulatedFabricProvider();

  @Override
  public String name() {
    return "overstating";
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
    Fabric fabric =
        emulated.open(
            new FabricSpec("emulated", spec.options(), spec.contexts(), spec.seed()), bootstrap);
    return (Fabric)
        Proxy.newProxyInstance(
            Fabric.class.getClassLoader(),
            new Class<?>[] {Fabric.class},
            (_, method, arguments) -> {
              if (method.getName().equals("axioms")) {
                return new Axioms(EnumSet.allOf(Axiom.class), fabric.axioms().granuleBytes());
              }
              try {
                return method.invoke(fabric, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
