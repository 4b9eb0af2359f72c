// SPDX-License-Identifier: Apache-2.0
package dev.jgin.bindings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SharedObjectsTest {

  @Test
  void shouldNameTheLibraryOfAFunction() {
    MemorySegment function = Linker.nativeLinker().defaultLookup().findOrThrow("strlen");
    String path = SharedObjects.pathOf(function).orElseThrow();
    assertTrue(path.contains("libc"), path);
  }

  @Test
  void shouldNameTheVerbsLibrary() {
    assumeTrue(NativeLibrary.VERBS.isAvailable());
    MemorySegment function = NativeLibrary.VERBS.find("ibv_open_device").orElseThrow();
    String path = SharedObjects.pathOf(function).orElseThrow();
    assertTrue(path.contains("libibverbs"), path);
  }

  @Test
  void shouldKnowNoLibraryOfData() {
    try (Arena arena = Arena.ofConfined()) {
      assertEquals(Optional.empty(), SharedObjects.pathOf(arena.allocate(64)));
    }
    assertEquals(Optional.empty(), SharedObjects.pathOf(MemorySegment.NULL));
  }
}
