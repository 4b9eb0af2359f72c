// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jgin.moe.check.Check;
import dev.jgin.moe.numeric.DType;
import dev.jgin.moe.numeric.ScaleFormat;
import java.util.EnumSet;
import org.junit.jupiter.api.Test;

class EpConfigTest {
  private static EpConfigBuilder builder() {
    return EpConfig.builder(64, 8, 2048);
  }

  private static void refused(EpConfigBuilder builder, String part) {
    IllegalArgumentException e = assertThrows(IllegalArgumentException.class, builder::build);
    assertTrue(e.getMessage().contains(part), e::getMessage);
  }

  @Test
  void shouldCombineFp8InBf16UnlessToldOtherwise() {
    assertEquals(DType.BF16, builder().dtype(DType.FP8_E4M3).build().combineDtype());
    assertEquals(DType.FP16, builder().dtype(DType.FP16).build().combineDtype());
    assertEquals(
        DType.FP32,
        builder().dtype(DType.FP8_E4M3).combineDtype(DType.FP32).build().combineDtype());
  }

  @Test
  void shouldRunEveryCheckUnlessOneIsSwitchedOff() {
    assertEquals(EnumSet.allOf(Check.class), builder().build().checks());
    assertFalse(builder().without(Check.EPOCH_TAG).build().checks().contains(Check.EPOCH_TAG));
  }

  @Test
  void shouldRefuseToSumCanonicallyWhatTheCallerHasSummed() {
    refused(builder().layout(ExpertLayout.ONE_ROW_PER_TOKEN), "use REDUCED");
    refused(
        builder()
            .layout(ExpertLayout.ONE_ROW_PER_TOKEN)
            .combine(CombineMode.REDUCED)
            .expertAlignment(8),
        "expertAlignment 8");
  }

  @Test
  void shouldNameTheLimitThatWasExceeded() {
    refused(EpConfig.builder(2049, 8, 64), "1..2048");
    refused(EpConfig.builder(64, 33, 64), "1..32");
    refused(EpConfig.builder(4, 5, 64), "1..4");
    refused(EpConfig.builder(64, 8, 12), "multiple of 16");
    refused(EpConfig.builder(64, 8, 4).dtype(DType.FP32).combineDtype(DType.BF16), "combined");
    refused(builder().streams(65), "1..64");
    refused(builder().maxTokensPerRank(0), "maxTokensPerRank = 0");
    refused(builder().scales(ScaleFormat.FP32), "only fp8");
    refused(builder().combineDtype(DType.FP8_E4M3), "sums need more bits");
    refused(builder().timeoutNanos(0), "timeoutNanos = 0");
  }
}
