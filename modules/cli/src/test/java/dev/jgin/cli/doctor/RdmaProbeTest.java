// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.doctor;

import static dev.jgin.cli.doctor.Machine.assertFound;

import dev.jgin.gin.spi.Detail;
import dev.jgin.gin.spi.DeviceDetails;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RdmaProbeTest {
  @TempDir private Path root;

  private Probe probe(Optional<String> cause, DeviceDetails... devices) {
    return new RdmaProbe(
        new Machine(root).host(),
        () -> List.of(devices),
        List.of(new RdmaProbe.Library("libibverbs.so.1", cause)));
  }

  private static DeviceDetails device(String state) {
    return new DeviceDetails(
        "mlx5_0",
        List.of(
            Detail.of("transport", "InfiniBand"),
            Detail.of(
                "ports",
                List.of(
                    List.of(
                        Detail.of("port", 1),
                        Detail.of("state", state),
                        Detail.of("active_mtu_bytes", 4096),
                        Detail.of("link_layer", "Ethernet"))))));
  }

  @Test
  void shouldSayThatThereIsNothing() {
    Probe probe = probe(Optional.of("cannot load libibverbs.so.1"));
    assertFound(probe, "rdma.libibverbs", Status.MISSING, "cannot load");
    assertFound(probe, "rdma.uverbs", Status.MISSING, "no /dev/infiniband");
    assertFound(probe, "rdma.devices", Status.MISSING, "none");
  }

  @Test
  void shouldShowPortsWithWhatTheyCarry() throws IOException {
    new Machine(root).with("dev/infiniband/uverbs0", "");
    Probe probe = probe(Optional.empty(), device("PORT_ACTIVE"));
    assertFound(probe, "rdma.libibverbs", Status.OK, "loads");
    assertFound(probe, "rdma.uverbs", Status.OK, "uverbs0");
    assertFound(
        probe,
        "rdma.mlx5_0.port1",
        Status.OK,
        "state PORT_ACTIVE, link_layer Ethernet, rate unknown, active_mtu 4096");
  }

  @Test
  void shouldNameAPortThatIsDown() {
    assertFound(
        probe(Optional.empty(), device("PORT_DOWN")),
        "rdma.mlx5_0.port1",
        Status.MISSING,
        "PORT_DOWN");
  }

  @Test
  void shouldHandOnWhyADeviceCannotBeAsked() {
    assertFound(
        probe(Optional.empty(), DeviceDetails.failed("mlx5-0", "permission denied")),
        "rdma.mlx5_0",
        Status.MISSING,
        "permission denied");
  }
}
