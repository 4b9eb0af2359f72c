// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.verbs.device;

import dev.jgin.fabric.verbs.wire.PortAddress.Gid;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The global identifiers of one port.
 *
 * @param device for messages
 * @param port for messages
 * @param entries those that are not empty, in the device's order
 */
public record GidTable(String device, int port, List<Entry> entries) {

  /** Ask for the entry that suits the port. */
  public static final int AUTO = -1;

  /** What an entry's packets look like. */
  public enum Type {
    /** InfiniBand. */
    IB,
    /** RoCE version 1: Ethernet frames that no router forwards. */
    ROCE_V1,
    /** RoCE version 2: UDP over IP. */
    ROCE_V2
  }

  /** One entry. */
  public record Entry(int index, Type type, Gid gid) {
    @Override
    public String toString() {
      return index + "=" + type + " " + gid;
    }
  }

  public GidTable {
    entries = List.copyOf(entries);
  }

  /**
   * Chooses the entry at {@code index}, or the one that suits: on InfiniBand the first, on Ethernet
   * RoCE version 2, rather over an IPv4 address than over a link-local one, because the latter
   * needs neighbour discovery that containers often lack.
   *
   * @throws IllegalArgumentException if there is none, listing what is there
   */
  public Entry choose(int index, boolean ethernet) {
    if (index != AUTO) {
      return first(e -> e.index() == index, "no GID at index " + index);
    }
    if (!ethernet) {
      return first(e -> e.type() == Type.IB, "no InfiniBand GID");
    }
    List<Entry> routed = entries.stream().filter(e -> e.type() == Type.ROCE_V2).toList();
    return routed.stream()
        .filter(e -> e.gid().isIpv4())
        .findFirst()
        .or(() -> routed.stream().findFirst())
        .orElseThrow(() -> missing("no RoCE v2 GID"));
  }

  private Entry first(Predicate<Entry> wanted, String otherwise) {
    return entries.stream().filter(wanted).findFirst().orElseThrow(() -> missing(otherwise));
  }

  private IllegalArgumentException missing(String what) {
    return new IllegalArgumentException(
        "device '"
            + device
            + "' port "
            + port
            + " has "
            + what
            + "; it has "
            + (entries.isEmpty()
                ? "none at all: give its network interface an address"
                : entries.stream().map(Entry::toString).collect(Collectors.joining(", ")))
            + "; choose with gid=INDEX");
  }
}
