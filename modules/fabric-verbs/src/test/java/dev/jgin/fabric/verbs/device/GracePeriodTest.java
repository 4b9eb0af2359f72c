// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.verbs.device;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;

import org.junit.jupiter.api.Test;

class GracePeriodTest {

  @Test
  void shouldBeOfferedByTheKernel() {
    assertDoesNotThrow(GracePeriod::await);
  }
}
