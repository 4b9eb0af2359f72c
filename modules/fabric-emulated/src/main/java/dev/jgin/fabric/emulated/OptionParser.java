// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.emulated;

import dev.jgin.fabric.emulated.EmulatedOptions.Mode;
import dev.jgin.fabric.emulated.lane.LaneRules;
import dev.jgin.fabric.emulated.lane.Psn;
import dev.jgin.gin.spi.FabricSpec;
import java.util.Map;

/** Reads the options of one specification; what it does not know is refused by name. */
final class OptionParser {

  static final String KNOWN =
      "adversarial, ordered, threads[=1..16], a1w|a1s|a4|a6=on|off, granule=8..4096,"
          + " mtu=256..1048576, depth=1..1048576, psn=0.."
          + Psn.MAX;

  private static final int MOST_THREADS = 16;

  private final FabricSpec spec;
  private Mode mode = Mode.PLAIN;
  private int threads;
  private boolean a1w = true;
  private boolean a1s = true;
  private boolean a4 = true;
  private boolean a6 = true;
  private int granule;
  private int mtu = 4096;
  private int depth;
  private int firstPsn = -1;

  OptionParser(FabricSpec spec) {
    this.spec = spec;
  }

  EmulatedOptions parse() {
    for (Map.Entry<String, String> option : spec.options().entrySet()) {
      read(option.getKey(), option.getValue());
    }
    refuseSwitchesInPlainMode();
    boolean plain = mode == Mode.PLAIN;
    LaneRules rules;
    try {
      rules =
          new LaneRules(
              a1w,
              a1s,
              a4,
              a6,
              granule != 0 ? granule : plain ? 8 : 64,
              mtu,
              depth != 0 ? depth : plain ? 1024 : 256,
              a1w ? 3 : 8);
    } catch (IllegalArgumentException e) {
      throw wrong(e.getMessage());
    }
    return new EmulatedOptions(mode, threads, rules, firstPsn, spec.seed());
  }

  private void read(String key, String value) {
    switch (key) {
      case "adversarial" -> setMode(Mode.ADVERSARIAL, key, value);
      case "ordered" -> setMode(Mode.ORDERED, key, value);
      case "threads" ->
          threads = value.isEmpty() ? defaultThreads() : number(key, value, 1, MOST_THREADS);
      case "a1w" -> a1w = onOff(key, value);
      case "a1s" -> a1s = onOff(key, value);
      case "a4" -> a4 = onOff(key, value);
      case "a6" -> a6 = onOff(key, value);
      case "granule" -> granule = number(key, value, 8, 4096);
      case "mtu" -> mtu = number(key, value, 256, 1 << 20);
      case "depth" -> depth = number(key, value, 1, 1 << 20);
      case "psn" -> firstPsn = number(key, value, 0, Psn.MAX);
      default -> throw wrong("option '" + key + "' is unknown");
    }
  }

  private static int defaultThreads() {
    return Math.clamp(Runtime.getRuntime().availableProcessors() / 2, 1, 4);
  }

  private void setMode(Mode wanted, String key, String value) {
    if (!value.isEmpty()) {
      throw wrong("option '" + key + "' takes no value, but '" + value + "' is given");
    }
    if (mode != Mode.PLAIN) {
      throw wrong("adversarial and ordered exclude each other");
    }
    mode = wanted;
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

  private void refuseSwitchesInPlainMode() {
    if (mode == Mode.PLAIN && !(a1w && a1s && a4 && a6 && threads == 0)) {
      throw wrong(
          "threads and switches that are off need a lane model, but plain mode performs operations"
              + " in order: add adversarial or ordered");
    }
  }

  private IllegalArgumentException wrong(String why) {
    return new IllegalArgumentException(
        "fabric '" + spec.text() + "': " + why + "; options are " + KNOWN);
  }
}
