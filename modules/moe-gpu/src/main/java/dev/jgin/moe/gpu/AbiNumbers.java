// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.gpu;

import dev.jgin.bindings.abi.abi_h;
import dev.jgin.moe.CombineMode;
import dev.jgin.moe.ExpertLayout;
import dev.jgin.moe.check.Check;
import dev.jgin.moe.check.Symptom;
import dev.jgin.moe.numeric.DType;
import dev.jgin.moe.numeric.ScaleFormat;

/** The numbers that {@code abi.h} gives to the constants of enums, both ways. Stateless. */
final class AbiNumbers {
  private AbiNumbers() {}

  static int of(DType dtype) {
    return switch (dtype) {
      case BF16 -> abi_h.JGIN_BF16();
      case FP16 -> abi_h.JGIN_FP16();
      case FP32 -> abi_h.JGIN_FP32();
      case FP8_E4M3 -> abi_h.JGIN_FP8_E4M3();
    };
  }

  static int of(ScaleFormat format) {
    return switch (format) {
      case NONE -> abi_h.JGIN_SCALE_NONE();
      case FP32 -> abi_h.JGIN_SCALE_FP32();
      case UE8M0 -> abi_h.JGIN_SCALE_UE8M0();
    };
  }

  static int of(ExpertLayout layout) {
    return switch (layout) {
      case EXPANDED -> abi_h.JGIN_EXPANDED();
      case ONE_ROW_PER_TOKEN -> abi_h.JGIN_ONE_ROW_PER_TOKEN();
    };
  }

  static int of(CombineMode mode) {
    return switch (mode) {
      case CANONICAL -> abi_h.JGIN_CANONICAL();
      case REDUCED -> abi_h.JGIN_REDUCED();
    };
  }

  static int of(Check check) {
    return switch (check) {
      case EPOCH_TAG -> abi_h.JGIN_CHECK_EPOCH_TAG();
      case SOURCE -> abi_h.JGIN_CHECK_SOURCE();
      case TOKEN_ORDER -> abi_h.JGIN_CHECK_TOKEN_ORDER();
      case EXPERT_IDS -> abi_h.JGIN_CHECK_EXPERT_IDS();
      case CURSOR_BOUND -> abi_h.JGIN_CHECK_CURSOR_BOUND();
      case COUNTS_EQUAL -> abi_h.JGIN_CHECK_COUNTS_EQUAL();
      case COUNT_BLOCK -> abi_h.JGIN_CHECK_COUNT_BLOCK();
      case CHECKSUM -> abi_h.JGIN_CHECK_CHECKSUM();
      case DEADLINE -> abi_h.JGIN_CHECK_DEADLINE();
      case LANE_ERROR -> abi_h.JGIN_CHECK_LANE_ERROR();
    };
  }

  static int of(Symptom symptom) {
    return switch (symptom) {
      case PHANTOM -> abi_h.JGIN_PHANTOM();
      case MISSING -> abi_h.JGIN_MISSING();
      case DOUBLE_ASSIGNED -> abi_h.JGIN_DOUBLE_ASSIGNED();
      case UNWRITTEN -> abi_h.JGIN_UNWRITTEN();
      case OUT_OF_BOUNDS -> abi_h.JGIN_OUT_OF_BOUNDS();
      case TORN -> abi_h.JGIN_TORN();
    };
  }

  /**
   * The check with a number.
   *
   * @throws IllegalStateException if there is none: a kernel is believed no more than a peer
   */
  static Check check(int number) {
    for (Check check : Check.values()) {
      if (of(check) == number) {
        return check;
      }
    }
    throw unknown("check", number);
  }

  /**
   * The symptom with a number.
   *
   * @throws IllegalStateException if there is none
   */
  static Symptom symptom(int number) {
    for (Symptom symptom : Symptom.values()) {
      if (of(symptom) == number) {
        return symptom;
      }
    }
    throw unknown("symptom", number);
  }

  private static IllegalStateException unknown(String what, int number) {
    return new IllegalStateException(
        "a kernel reported "
            + what
            + " "
            + number
            + ", which is none: kernels and classes are of different versions");
  }
}
