// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.verbs;

import dev.jgin.fabric.verbs.device.CriticalMode;
import dev.jgin.fabric.verbs.device.GidTable;
import dev.jgin.fabric.verbs.device.Mtu;
import dev.jgin.fabric.verbs.queue.Psn;
import dev.jgin.gin.spi.FabricSpec;
import java.util.List;

/** Reads the options of one specification; what it does not know is refused by name. */
final class OptionParser {

  static final String KNOWN =
      "device=NAME, devices=NAME+NAME (rank r uses number r modulo their count), port=1..255,"
          + " gid=auto|0..255, mtu=auto|256|512|1024|2048|4096, depth=auto|1..32768 (a power of"
          + " two), ro=on|off (relaxed ordering of data), timeout=1..31 (4.096 us x 2^timeout),"
          + " retry=0..7, rnr=0..7, inline=0..1024, critical=auto|on|off (downcalls that hold up"
          + " safepoints; auto: where no system call can hide), psn=0.."
          + Psn.MAX
          + ", connect=1..3600 (seconds that ranks wait for each other to open and register)";

  private final FabricSpec spec;
  private List<String> devices = List.of();
  private int port = 1;
  private int gid = GidTable.AUTO;
  private int mtu;
  private int depth;
  private boolean relaxed;
  private int timeout = 14;
  // Not 7: rxe takes that for ever, and a lane whose peer is gone would never fail.
  private int retries = 6;
  private int receiverRetries = 7;
  private int inline = 64;
  private CriticalMode critical = CriticalMode.AUTO;
  private int firstPsn = -1;
  private int connectSeconds = 120;

  OptionParser(FabricSpec spec) {
    this.spec = spec;
  }

  VerbsOptions parse() {
    if (spec.options().containsKey("device") && spec.options().containsKey("devices")) {
      throw wrong("device and devices exclude each other");
    }
    spec.options().forEach(this::read);
    return new VerbsOptions(
        devices,
        port,
        gid,
        mtu,
        depth,
        relaxed,
        timeout,
        retries,
        receiverRetries,
        inline,
        critical,
        firstPsn,
        connectSeconds);
  }

  private void read(String key, String value) {
    switch (key) {
      case "device" -> devices = names(key, value, ",");
      case "devices" -> devices = names(key, value, "\\+");
      case "port" -> port = number(key, value, 1, 255);
      case "gid" -> gid = value.equals("auto") ? GidTable.AUTO : number(key, value, 0, 255);
      case "mtu" -> mtu = value.equals("auto") ? 0 : mtu(value);
      case "depth" -> depth = value.equals("auto") ? 0 : depth(value);
      case "ro" -> relaxed = onOff(key, value);
      // 0 would wait for ever, and no wait here does.
      case "timeout" -> timeout = number(key, value, 1, 31);
      case "retry" -> retries = number(key, value, 0, 7);
      case "rnr" -> receiverRetries = number(key, value, 0, 7);
      case "inline" -> inline = number(key, value, 0, 1024);
      case "critical" -> critical = critical(value);
      case "psn" -> firstPsn = number(key, value, 0, Psn.MAX);
      case "connect" -> connectSeconds = number(key, value, 1, 3600);
      default -> throw wrong("option '" + key + "' is unknown");
    }
  }

  private List<String> names(String key, String value, String separator) {
    List<String> names = List.of(value.split(separator, -1));
    if (names.stream().anyMatch(String::isBlank)) {
      throw wrong("option '" + key + "' is '" + value + "': a device name is empty");
    }
    return names;
  }

  private int mtu(String value) {
    int bytes = number("mtu", value, 256, 4096);
    try {
      int ignored = Mtu.code(bytes);
      return bytes;
    } catch (IllegalArgumentException e) {
      throw wrong(e.getMessage());
    }
  }

  private int depth(String value) {
    int wanted = number("depth", value, 1, 1 << 15);
    if (Integer.bitCount(wanted) != 1) {
      throw wrong("option 'depth' is " + wanted + ": it must be a power of two");
    }
    return wanted;
  }

  private CriticalMode critical(String value) {
    return switch (value) {
      case "auto" -> CriticalMode.AUTO;
      case "on" -> CriticalMode.ON;
      case "off" -> CriticalMode.OFF;
      default -> throw wrong("option 'critical' is '" + value + "': it must be auto, on or off");
    };
  }

  private boolean onOff(String key, String value) {
    return switch (value) {
      case "on" -> true;
      case "off" -> false;
      default -> throw wrong("option '" + key + "' is '" + value + "': it must be on or off");
    };
  }

  private int number(String key, String value, int least, int most) {
    try {
      int number = Integer.parseInt(value);
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException _) {
      // Falls through to the same message.
    }
    throw wrong(
        "option '" + key + "' is '" + value + "': it must be a number in " + least + ".." + most);
  }

  private IllegalArgumentException wrong(String why) {
    return new IllegalArgumentException(
        "fabric '" + spec.text() + "': " + why + "; options are " + KNOWN);
  }
}
