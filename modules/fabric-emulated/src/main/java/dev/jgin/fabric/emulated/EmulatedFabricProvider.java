// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.emulated;

import dev.jgin.fabric.emulated.EmulatedOptions.Mode;
import dev.jgin.fabric.emulated.plain.PlainFabric;
import dev.jgin.fabric.emulated.plain.PlainWorld;
import dev.jgin.fabric.emulated.timed.TimedFabric;
import dev.jgin.fabric.emulated.timed.TimedWorld;
import dev.jgin.gin.spi.Axioms;
import dev.jgin.gin.spi.Bootstrap;
import dev.jgin.gin.spi.Fabric;
import dev.jgin.gin.spi.FabricProvider;
import dev.jgin.gin.spi.FabricSpec;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/** Opens {@code emulated} fabrics. Thread-safe. */
public final class EmulatedFabricProvider implements FabricProvider {

  private static final AtomicLong WORLDS = new AtomicLong();
  private static final long TIMEOUT_NANOS = 120_000_000_000L;

  @Override
  public String name() {
    return "emulated";
  }

  @Override
  public String summary() {
    return "ranks of this process; plain and fast, or modelled lanes with " + OptionParser.KNOWN;
  }

  @Override
  public Optional<String> unavailabilityCause() {
    return Optional.empty();
  }

  @Override
  public Optional<Axioms> axioms(FabricSpec spec) {
    return Optional.of(EmulatedOptions.parse(spec).axioms());
  }

  @Override
  public List<String> presets() {
    return List.of("emulated", "emulated:granule=64", "emulated:adversarial");
  }

  @Override
  public Fabric open(FabricSpec spec, Bootstrap bootstrap) {
    EmulatedOptions options = EmulatedOptions.parse(spec);
    if (!bootstrap.inProcess()) {
      throw new IllegalArgumentException(
          "fabric '"
              + spec.text()
              + "' needs all ranks in one process: use the in-process bootstrap or another fabric");
    }
    String key = "emulated.world." + agree(spec, bootstrap);
    int ranks = bootstrap.ranks();
    int contexts = spec.contexts();
    if (options.mode() == Mode.PLAIN) {
      PlainWorld world =
          bootstrap.shared(key, PlainWorld.class, () -> new PlainWorld(options, ranks, contexts));
      return new PlainFabric(spec.text(), world, bootstrap);
    }
    TimedWorld world =
        bootstrap.shared(key, TimedWorld.class, () -> new TimedWorld(options, ranks, contexts));
    return new TimedFabric(spec.text(), world, bootstrap);
  }

  /** Checks that every rank opens the same and returns a number for the world. */
  private static String agree(FabricSpec spec, Bootstrap bootstrap) {
    String wanted = spec.text() + " contexts=" + spec.contexts() + " seed=" + spec.seed();
    byte[] mine = (WORLDS.incrementAndGet() + " " + wanted).getBytes(StandardCharsets.UTF_8);
    List<byte[]> all = bootstrap.allGather("emulated.open", mine, TIMEOUT_NANOS);
    for (int r = 0; r < all.size(); r++) {
      String theirs = text(all.get(r));
      if (!theirs.substring(theirs.indexOf(' ') + 1).equals(wanted)) {
        throw new IllegalArgumentException(
            "rank "
                + bootstrap.rank()
                + " opens '"
                + wanted
                + "', but rank "
                + r
                + " opens '"
                + theirs.substring(theirs.indexOf(' ') + 1)
                + "': every rank must open the same fabric");
      }
    }
    String first = text(all.getFirst());
    return first.substring(0, first.indexOf(' '));
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
