// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.doctor;

import dev.jgin.gin.spi.Detail;
import dev.jgin.gin.spi.DeviceDetails;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * RDMA devices and their ports, as their carrier tells, and whether this process may open them.
 *
 * @param devices of the verbs carrier
 * @param libraries by name, each with the reason why it does not load, if it does not
 */
record RdmaProbe(
    Host host, Supplier<List<DeviceDetails>> devices, List<RdmaProbe.Library> libraries)
    implements Probe {
  private static final String NETWORK = "the verbs carrier, and with it ranks on several hosts";

  /** A library that is looked up when needed. */
  record Library(String soname, Optional<String> cause) {}

  @Override
  public List<Finding> look() {
    List<Finding> findings = new ArrayList<>();
    for (Library library : libraries) {
      String name = "rdma." + library.soname().replaceAll("\\.so.*", "");
      findings.add(
          library
              .cause()
              .map(cause ->
                  Finding.missing(
                      name, cause, NETWORK, "rdma-core's libraries (libibverbs, libmlx5)"))
              .orElseGet(() -> Finding.ok(name, library.soname() + " loads")));
    }
    findings.add(nodes());
    List<DeviceDetails> found = devices.get();
    if (found.isEmpty()) {
      findings.add(
          Finding.missing(
              "rdma.devices",
              "none",
              NETWORK,
              "an RDMA adapter with its driver; scripts/soft-roce gives a guest with soft-RoCE"));
    }
    for (DeviceDetails device : found) {
      ports(device, findings);
    }
    return findings;
  }

  private Finding nodes() {
    List<String> nodes =
        host.names("/dev/infiniband").stream().filter(node -> node.startsWith("uverbs")).toList();
    String name = "rdma.uverbs";
    if (nodes.isEmpty()) {
      return Finding.missing(
          name, "no /dev/infiniband/uverbs*", NETWORK, "modprobe ib_uverbs and the card's driver");
    }
    List<String> closed =
        nodes.stream()
            .filter(node ->
                !Files.isReadable(host.at("/dev/infiniband/" + node))
                    || !Files.isWritable(host.at("/dev/infiniband/" + node)))
            .toList();
    return closed.isEmpty()
        ? Finding.ok(name, String.join(", ", nodes))
        : Finding.missing(
            name,
            "no permission for " + String.join(", ", closed),
            NETWORK,
            "read and write permission on /dev/infiniband (group rdma, or a udev rule)");
  }

  private static void ports(DeviceDetails device, List<Finding> findings) {
    String name = "rdma." + device.name().replaceAll("[^a-z0-9]", "_");
    boolean any = false;
    for (Detail detail : device.details()) {
      if (detail.value() instanceof Detail.Rows rows && detail.key().equals("ports")) {
        for (List<Detail> port : rows.rows()) {
          any = true;
          findings.add(port(name, port));
        }
      }
    }
    if (!any) {
      findings.add(
          Finding.missing(
              name,
              text(device.details(), DeviceDetails.PROBLEM, "it shows no port"),
              "this device",
              "what it says; then jgin info --devices"));
    }
  }

  private static Finding port(String device, List<Detail> port) {
    String state = text(port, "state", "state unknown");
    String what =
        List.of("state", "link_layer", "rate", "active_mtu_bytes").stream()
            .map(key -> key.replace("_bytes", "") + " " + text(port, key, "unknown"))
            .collect(Collectors.joining(", "));
    String name = device + ".port" + text(port, "port", "");
    return state.contains("ACTIVE")
        ? Finding.ok(name, what)
        : Finding.missing(
            name, what, "this port", "a cable and a configured link: ip link, ibstat");
  }

  private static String text(List<Detail> details, String key, String absent) {
    for (Detail detail : details) {
      if (detail.key().equals(key)) {
        return switch (detail.value()) {
          case Detail.Text text -> text.text();
          case Detail.Count count -> Long.toString(count.number());
          default -> absent;
        };
      }
    }
    return absent;
  }
}
