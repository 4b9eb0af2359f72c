// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli;

import dev.jgin.gin.BarrierProtocol;
import dev.jgin.moe.CombineMode;
import dev.jgin.moe.ExpertLayout;
import dev.jgin.moe.numeric.DType;
import dev.jgin.moe.numeric.ScaleFormat;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The words that options take, each beside the value it stands for. */
public final class Choices {
  private static final Map<String, BarrierProtocol> BARRIERS = new LinkedHashMap<>();

  static {
    BARRIERS.put("single", BarrierProtocol.SINGLE_CONTEXT);
    BARRIERS.put("flush-then-single", BarrierProtocol.FLUSH_THEN_SINGLE_CONTEXT);
    BARRIERS.put("fan-in-all", BarrierProtocol.FAN_IN_ALL_CONTEXTS);
    BARRIERS.put("fan-in-used", BarrierProtocol.FAN_IN_USED_CONTEXTS);
    BARRIERS.put("order-free", BarrierProtocol.ORDER_FREE);
  }

  private Choices() {}

  /** Protocols by short name or by the name of the enum; {@code all} for each of them. */
  public static List<BarrierProtocol> barriers(String option, String text) {
    List<BarrierProtocol> protocols = new ArrayList<>();
    for (String word : text.split(",", -1)) {
      if (word.equalsIgnoreCase("all")) {
        protocols.addAll(BARRIERS.values());
      } else {
        protocols.add(barrier(option, word));
      }
    }
    return protocols.stream().distinct().toList();
  }

  private static BarrierProtocol barrier(String option, String text) {
    String word = text.strip().toLowerCase(Locale.ROOT).replace('_', '-');
    for (Map.Entry<String, BarrierProtocol> entry : BARRIERS.entrySet()) {
      String full = entry.getValue().name().toLowerCase(Locale.ROOT).replace('_', '-');
      if (word.equals(entry.getKey()) || word.equals(full)) {
        return entry.getValue();
      }
    }
    throw unknown(option, text, String.join(", ", BARRIERS.keySet()) + " or all");
  }

  static DType dtype(String option, String text) {
    try {
      return DType.parse(text);
    } catch (IllegalArgumentException e) {
      throw new UsageException(option + " '" + text + "': " + e.getMessage(), e);
    }
  }

  /** The format of scales; without a word FP32 for FP8 and none for the other types. */
  static ScaleFormat scales(String option, String text, DType dtype) {
    if (text == null) {
      return dtype == DType.FP8_E4M3 ? ScaleFormat.FP32 : ScaleFormat.NONE;
    }
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "none" -> ScaleFormat.NONE;
      case "fp32" -> ScaleFormat.FP32;
      case "ue8m0" -> ScaleFormat.UE8M0;
      default -> throw unknown(option, text, "fp32, ue8m0 or none");
    };
  }

  static ExpertLayout layout(String option, String text) {
    return switch (text.toLowerCase(Locale.ROOT).replace('_', '-')) {
      case "expanded" -> ExpertLayout.EXPANDED;
      case "one-row", "one-row-per-token" -> ExpertLayout.ONE_ROW_PER_TOKEN;
      default -> throw unknown(option, text, "expanded or one-row");
    };
  }

  /** How outputs are summed; without a word the mode that the layout allows. */
  static CombineMode combine(String option, String text, ExpertLayout layout) {
    if (text == null) {
      return layout == ExpertLayout.EXPANDED ? CombineMode.CANONICAL : CombineMode.REDUCED;
    }
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "canonical" -> CombineMode.CANONICAL;
      case "reduced" -> CombineMode.REDUCED;
      default -> throw unknown(option, text, "canonical or reduced");
    };
  }

  static boolean onOff(String option, String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "on" -> true;
      case "off" -> false;
      default -> throw unknown(option, text, "on or off");
    };
  }

  private static UsageException unknown(String option, String text, String words) {
    return new UsageException("%s '%s' is unknown: use %s".formatted(option, text, words));
  }
}
