// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.numeric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class DTypeTest {
  @Test
  void shouldParseItsOwnNames() {
    for (DType dtype : DType.values()) {
      assertEquals(dtype, DType.parse(dtype.cliName()));
    }
    assertEquals(DType.BF16, DType.parse("BF16"));
  }

  @Test
  void shouldNameTheValueAndTheChoices() {
    var error = assertThrows(IllegalArgumentException.class, () -> DType.parse("int4"));
    assertEquals(
        "unknown element type 'int4': use one of bf16, fp16, fp32, fp8", error.getMessage());
  }
}
