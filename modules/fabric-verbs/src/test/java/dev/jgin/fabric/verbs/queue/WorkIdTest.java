// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.verbs.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class WorkIdTest {

  @Test
  void shouldCarryEveryPartApart() {
    long id = WorkId.of(0x1_0003L, 1023, 0x1_ffff_fffeL);
    assertEquals(1023, WorkId.peer(id));
    assertEquals(-2, WorkId.ticket(id));
    assertTrue(WorkId.isOf(id, 0x1_0003L));
    assertFalse(WorkId.isOf(id, 2));
    assertTrue(WorkId.isOf(WorkId.of(0xffff, 0, 0), 0xffff));
  }
}
