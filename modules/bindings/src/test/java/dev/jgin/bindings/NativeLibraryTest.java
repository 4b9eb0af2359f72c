// SPDX-License-Identifier: Apache-2.0
package dev.jgin.bindings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NativeLibraryTest {
  @Test
  void shouldSayThatTheLibraryIsMissingAndWhatToInstall() {
    NativeLibrary absent = new NativeLibrary("libjgin-absent.so.7", "package absent7");
    assertFalse(absent.isAvailable());
    NativeUnavailableException thrown =
        assertThrows(NativeUnavailableException.class, absent::ensureAvailability);
    assertEquals(
        "cannot load libjgin-absent.so.7: libjgin-absent.so.7: cannot open shared object file: No"
            + " such file or directory; install package absent7, or name its folder in"
            + " LD_LIBRARY_PATH",
        thrown.getMessage());
    assertSame(absent.unavailabilityCause(), thrown.getCause(), "the first look stays the cause");
  }

  @Test
  void shouldTellABrokenFileFromAMissingOne(@TempDir Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve("libbroken.so"), "no library");
    assertEquals(file + ": file too short", DynamicLinker.explain(file.toString()));
  }

  @Test
  void shouldFindSymbolsOfALibraryThatLoads() {
    NativeLibrary maths = new NativeLibrary("libm.so.6", "the C library");
    assertNull(maths.unavailabilityCause());
    maths.ensureAvailability();
    assertTrue(maths.find("cos").isPresent());
    assertTrue(maths.find("jgin_no_such_function").isEmpty());
  }
}
