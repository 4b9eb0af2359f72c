// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.verbs;

import dev.jgin.fabric.verbs.device.CompletionQueue;
import dev.jgin.fabric.verbs.device.Device;
import dev.jgin.fabric.verbs.device.DeviceLimits;
import dev.jgin.fabric.verbs.device.Devices;
import dev.jgin.fabric.verbs.device.GidTable;
import dev.jgin.fabric.verbs.device.Port;
import dev.jgin.fabric.verbs.device.QpSettings;
import dev.jgin.fabric.verbs.device.QueuePair;
import dev.jgin.fabric.verbs.queue.LaneTickets;
import dev.jgin.fabric.verbs.queue.Psn;
import dev.jgin.fabric.verbs.queue.SendRing;
import dev.jgin.fabric.verbs.wire.Exchange;
import dev.jgin.fabric.verbs.wire.OpenRecord;
import dev.jgin.fabric.verbs.wire.PortAddress;
import dev.jgin.gin.spi.Bootstrap;
import dev.jgin.gin.spi.FabricSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * Opens one rank's end: device and port, queue pairs in INIT, exchange of their numbers, RTR and
 * RTS, and a last exchange so that nobody posts before every responder is ready.
 */
final class Opening {

  private static final int AUTO_DEPTH = 128;

  private final FabricSpec spec;
  private final VerbsOptions options;
  private final Bootstrap bootstrap;
  private final Resources resources = new Resources();

  Opening(FabricSpec spec, VerbsOptions options, Bootstrap bootstrap) {
    this.spec = spec;
    this.options = options;
    this.bootstrap = bootstrap;
  }

  VerbsFabric open() {
    try {
      Exchange exchange =
          new Exchange(bootstrap, TimeUnit.SECONDS.toNanos(options.connectSeconds()));
      List<byte[]> records = exchange.step("verbs.open", this::prepare);
      exchange.step(
          "verbs.connected",
          () -> {
            connect(records.stream().map(OpenRecord::decode).toList());
            return new byte[0];
          });
      return new VerbsFabric(spec.text(), options, exchange, resources);
    } catch (RuntimeException e) {
      resources.close();
      throw e;
    }
  }

  private String agreed() {
    return spec.text() + " contexts=" + spec.contexts();
  }

  private byte[] prepare() {
    Device device = Devices.open(options.device(bootstrap.rank()), options.critical());
    resources.device = device;
    Port port = device.port(options.port());
    if (!port.active()) {
      throw new VerbsException(
          "device '"
              + device.name()
              + "' port "
              + port.number()
              + " is "
              + port.state()
              + ", not active: bring its network interface or cable up",
          0);
    }
    if (!device.limits().atomics()) {
      throw new IllegalArgumentException(
          "device '"
              + device.name()
              + "' performs no atomics, and signals are atomics: choose another device");
    }
    resources.port = port;
    int ranks = bootstrap.ranks();
    int depth = depth(device, ranks);
    GidTable.Entry gid = device.gids(port.number()).choose(options.gid(), port.ethernet());
    QpSettings settings =
        new QpSettings(
            port.number(),
            gid.index(),
            port.ethernet() || port.globalRoute(),
            options.timeout(),
            options.retries(),
            options.receiverRetries(),
            depth,
            options.inline());
    resources.settings = settings;
    PortAddress address =
        new PortAddress(
            port.ethernet(),
            port.lid(),
            gid.gid(),
            mtu(device, port),
            QueuePair.answered(device.limits()));
    resources.address = address;
    resources.makeStaging(spec.contexts(), ranks, depth);
    List<OpenRecord.End> ends = new ArrayList<>();
    resources.contexts = new VerbsContext[spec.contexts()];
    for (int c = 0; c < spec.contexts(); c++) {
      VerbsContext context =
          new VerbsContext(
              new CompletionQueue(device, resources.arena, completions(ranks, depth)), ranks);
      resources.contexts[c] = context;
      for (int p = 0; p < ranks; p++) {
        QueuePair pair = resources.queuePair(context.completions(), firstPsn());
        context.add(
            new VerbsLane(
                c,
                p,
                new SendRing(resources.arena, depth),
                new LaneTickets(depth),
                pair,
                resources.failures));
        ends.add(new OpenRecord.End(pair.number(), pair.psn()));
      }
    }
    return new OpenRecord(agreed(), address, ends).encode();
  }

  private int firstPsn() {
    return options.firstPsn() >= 0
        ? options.firstPsn()
        : ThreadLocalRandom.current().nextInt(Psn.MAX + 1);
  }

  /** Every work request of every lane may have a completion waiting, and one lane's twice. */
  private static int completions(int ranks, int depth) {
    return (ranks + 1) * depth;
  }

  private int depth(Device device, int ranks) {
    DeviceLimits limits = device.limits();
    int most = Math.min(limits.workRequests(), limits.completions() / (ranks + 1));
    if (options.depth() == 0 && most >= 1) {
      return Integer.highestOneBit(Math.min(AUTO_DEPTH, most));
    }
    if (most < 1 || options.depth() > most) {
      throw new IllegalArgumentException(
          "depth "
              + options.depth()
              + " on device '"
              + device.name()
              + "': with "
              + ranks
              + " ranks its completion queues of "
              + limits.completions()
              + " entries and send queues of "
              + limits.workRequests()
              + " allow at most "
              + most
              + ": use a smaller depth or fewer ranks");
    }
    return options.depth();
  }

  private int mtu(Device device, Port port) {
    if (options.mtu() > port.mtu()) {
      throw new IllegalArgumentException(
          "mtu="
              + options.mtu()
              + " is more than the "
              + port.mtu()
              + " bytes of device '"
              + device.name()
              + "' port "
              + port.number()
              + ": use mtu=auto or raise the MTU of its network interface");
    }
    return options.mtu() == 0 ? port.mtu() : options.mtu();
  }

  private void connect(List<OpenRecord> all) {
    int ranks = all.size();
    int rank = bootstrap.rank();
    int mtu = resources.address.mtu();
    for (int r = 0; r < ranks; r++) {
      OpenRecord theirs = all.get(r);
      if (!theirs.fabric().equals(agreed())) {
        throw new IllegalArgumentException(
            "rank "
                + rank
                + " opens '"
                + agreed()
                + "', but rank "
                + r
                + " opens '"
                + theirs.fabric()
                + "': every rank must open the same fabric");
      }
      if (theirs.port().ethernet() != resources.address.ethernet()) {
        throw new IllegalArgumentException(
            "rank "
                + rank
                + " is on "
                + link(resources.address)
                + ", but rank "
                + r
                + " is on "
                + link(theirs.port())
                + ": choose devices of one network with device=NAME");
      }
      mtu = Math.min(mtu, theirs.port().mtu());
    }
    resources.mtu = mtu;
    for (VerbsContext context : resources.contexts) {
      for (VerbsLane lane : context.lanes()) {
        OpenRecord theirs = all.get(lane.peer);
        OpenRecord.End end = theirs.end(lane.context, rank, ranks);
        lane.pair().connect(theirs.port(), end.qpn(), end.psn(), mtu);
      }
    }
    resources.drain = new DrainQueue(resources);
  }

  private static String link(PortAddress port) {
    return port.ethernet() ? "Ethernet" : "InfiniBand";
  }
}
