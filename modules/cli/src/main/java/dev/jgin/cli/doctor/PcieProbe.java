// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * What stands between a card and a GPU on PCIe: translation of addresses (IOMMU), and access
 * control (ACS), which sends traffic between devices up to the root. Source of the offsets: PCI
 * Express Base Specification, capability 000Dh.
 */
record PcieProbe(Host host) implements Probe {
  private static final String DEVICES = "/sys/bus/pci/devices";
  private static final String PEER_TRAFFIC =
      "nothing, but traffic between card and GPU goes through the root complex, at less bandwidth";

  private static final int EXTENDED = 0x100;
  private static final int ACS = 0x000d;
  private static final int ACS_CONTROL = 6;
  // Request redirect, completion redirect, upstream forwarding.
  private static final int REDIRECTS = 0x1c;

  @Override
  public List<Finding> look() {
    return List.of(iommu(), acs());
  }

  private Finding iommu() {
    String name = "pcie.iommu";
    List<String> groups = host.names("/sys/kernel/iommu_groups");
    if (groups.isEmpty()) {
      return Finding.ok(name, "none is used");
    }
    var types = new TreeMap<String, Integer>();
    for (String group : groups) {
      String type = host.text("/sys/kernel/iommu_groups/" + group + "/type").orElse("unknown");
      types.merge(type, 1, Integer::sum);
    }
    String what = "groups by type: " + types;
    if (types.keySet().equals(Set.of("identity"))) {
      return Finding.ok(name, what);
    }
    String remedy = "iommu=pt on the kernel's command line, or off in the firmware";
    return types.containsKey("unknown")
        ? Finding.unknown(name, what, PEER_TRAFFIC, remedy)
        : Finding.missing(name, what, PEER_TRAFFIC, remedy);
  }

  private Finding acs() {
    String name = "pcie.acs";
    String remedy = "ACS off in the firmware, or setpci on the bridges between card and GPU";
    List<String> redirecting = new ArrayList<>();
    int bridges = 0;
    int unread = 0;
    for (String device : host.names(DEVICES)) {
      String folder = DEVICES + "/" + device;
      if (!host.text(folder + "/class").orElse("").startsWith("0x0604")) {
        continue;
      }
      bridges++;
      Optional<byte[]> config = host.bytes(folder + "/config");
      if (config.isEmpty() || config.get().length <= EXTENDED) {
        unread++;
      } else if ((control(config.get()) & REDIRECTS) != 0) {
        redirecting.add(device);
      }
    }
    if (!redirecting.isEmpty()) {
      return Finding.missing(
          name, "redirects at " + String.join(", ", redirecting), PEER_TRAFFIC, remedy);
    }
    return unread > 0
        ? Finding.unknown(
            name,
            unread + " of " + bridges + " bridges do not show it (root sees more)",
            PEER_TRAFFIC,
            remedy)
        : Finding.ok(name, bridges + " bridges, none redirects");
  }

  /** The ACS control register, or 0 if the bridge has none. */
  private static int control(byte[] config) {
    int at = EXTENDED;
    // Each capability has 4 bytes at the least: a list that is longer runs in a circle.
    for (int hops = 0; hops < 960 && at >= EXTENDED && at + 8 <= config.length; hops++) {
      int header = word(config, at) | word(config, at + 2) << 16;
      if ((header & 0xffff) == ACS) {
        return word(config, at + ACS_CONTROL);
      }
      at = header >>> 20;
    }
    return 0;
  }

  private static int word(byte[] bytes, int at) {
    return Byte.toUnsignedInt(bytes[at]) | Byte.toUnsignedInt(bytes[at + 1]) << 8;
  }
}
