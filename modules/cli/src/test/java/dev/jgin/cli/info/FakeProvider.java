// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.info;

import dev.jgin.gin.spi.Axioms;
import dev.jgin.gin.spi.Bootstrap;
import dev.jgin.gin.spi.Detail;
import dev.jgin.gin.spi.DeviceDetails;
import dev.jgin.gin.spi.Fabric;
import dev.jgin.gin.spi.FabricProvider;
import dev.jgin.gin.spi.FabricSpec;
import java.util.List;
import java.util.Optional;

/**
 * A carrier that exists in words only.
 *
 * @param cause why it cannot be opened; null if it can
 * @param promised null if only an open one could tell
 */
record FakeProvider(String name, String cause, Axioms promised, List<DeviceDetails> devices)
    implements FabricProvider {

  /** A carrier with two devices, of which one cannot be asked. */
  static FakeProvider network() {
    List<Detail> gids =
        List.of(
            Detail.of("index", 0),
            Detail.of("type", "RoCE v1"),
            Detail.of("gid", "fe80:0000:0000:0000:0200:c0ff:fea8:0101"));
    List<Detail> routed =
        List.of(
            Detail.of("index", 11),
            Detail.of("type", "RoCE v2"),
            Detail.of("gid", "0000:0000:0000:0000:0000:ffff:0a02:0001"));
    List<Detail> up =
        List.of(
            Detail.of("port", 1),
            Detail.of("link_layer", "Ethernet"),
            Detail.unknown("rate"),
            Detail.of("gids", List.of(gids, routed)));
    List<Detail> down = List.of(Detail.of("port", 2), Detail.of("gids", List.of()));
    DeviceDetails good =
        new DeviceDetails(
            "fake0",
            List.of(
                Detail.of("driver", "fake_core"),
                Detail.of("max_mr_size_bytes", Long.MAX_VALUE),
                Detail.of("ports", List.of(up, down))));
    return new FakeProvider(
        "network",
        null,
        Axioms.reliableConnected(8),
        List.of(good, DeviceDetails.failed("fake1", "it is gone; plug it in")));
  }

  @Override
  public String summary() {
    return "in words, with relaxed=on|off";
  }

  @Override
  public Optional<String> unavailabilityCause() {
    return Optional.ofNullable(cause);
  }

  @Override
  public Optional<Axioms> axioms(FabricSpec spec) {
    spec.options()
        .keySet()
        .forEach(option -> {
          if (!option.equals("relaxed")) {
            throw new IllegalArgumentException("option '" + option + "' is unknown");
          }
        });
    return Optional.ofNullable(promised);
  }

  @Override
  public Fabric open(FabricSpec spec, Bootstrap bootstrap) {
    throw new AssertionError("a report opens nothing");
  }
}
