// SPDX-License-Identifier: Apache-2.0
package dev.jgin.bindings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jgin.bindings.ibverbs.verbs_h;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A bound call end to end: library, descriptor, result, {@code errno}. */
class VerbsCallTest {
  private static final int ENOSYS = 38;

  @BeforeEach
  void needLibrary() {
    if (!NativeLibrary.VERBS.isAvailable()) {
      String why = NativeLibrary.VERBS.unavailabilityCause().getMessage();
      System.err.println("!! VERBS NOT CALLED: " + why);
      Assumptions.abort(why);
    }
  }

  @Test
  void shouldListDevicesOrSayThatTheKernelHasNone() throws Throwable {
    MethodHandle list =
        Errno.capturing(
            verbs_h.ibv_get_device_list$address(), verbs_h.ibv_get_device_list$descriptor());
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = Errno.allocate(arena);
      MemorySegment count = arena.allocate(ValueLayout.JAVA_INT);
      MemorySegment devices = (MemorySegment) list.invokeExact(state, count);
      if (devices.address() == 0) {
        assertEquals(ENOSYS, Errno.get(state), Errno.describe(Errno.get(state)));
        return;
      }
      int found = count.get(ValueLayout.JAVA_INT, 0);
      for (int i = 0; i < found; i++) {
        MemorySegment device = devices.getAtIndex(verbs_h.C_POINTER, i);
        assertTrue(verbs_h.ibv_get_device_name(device).address() != 0, "name of device " + i);
      }
      assertEquals(0, devices.getAtIndex(verbs_h.C_POINTER, found).address(), "end of the list");
      verbs_h.ibv_free_device_list(devices);
    }
  }

  @Test
  void shouldReadTextThatTheLibraryOwns() {
    assertEquals(
        "transport retry counter exceeded",
        verbs_h.ibv_wc_status_str(verbs_h.IBV_WC_RETRY_EXC_ERR()).getString(0));
  }
}
