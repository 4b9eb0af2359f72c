// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.verbs.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HotCallsTest {

  private static final long LONG_LIMIT = 60_000_000_000L;
  private static final long SHORT_LIMIT = 200_000_000L;

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({
    "/usr/lib/x86_64-linux-gnu/libibverbs/libmlx5-rdmav34.so, MLX5",
    "/usr/lib64/libmlx5.so.1.24.44.0, MLX5",
    "librxe-rdmav34.so, RXE",
    "/usr/lib/libibverbs/libmlx5x-rdmav34.so, OTHER",
    "/opt/libmlx5.so/libfoo.so, OTHER",
    "/usr/lib/libibverbs/libsiw-rdmav34.so, OTHER",
    "/usr/lib/libibverbs.so.1, OTHER",
    "/, OTHER",
  })
  void shouldKnowAProviderByItsLibrary(String path, HotCalls.Provider expected) {
    assertEquals(expected, HotCalls.Provider.of(path));
  }

  @ParameterizedTest
  @CsvSource({
    "libmlx5-rdmav34.so, AUTO, true, false, 'critical post_send (auto, libmlx5-rdmav34.so)'",
    "librxe-rdmav34.so, AUTO, false, true, 'critical poll_cq (auto, librxe-rdmav34.so)'",
    "libnew-rdmav34.so, AUTO, false, false, 'critical none (auto, libnew-rdmav34.so)'",
    "librxe-rdmav34.so, ON, true, true, 'critical post_send and poll_cq (on, librxe-rdmav34.so)'",
    "libmlx5-rdmav34.so, OFF, false, false, 'critical none (off, libmlx5-rdmav34.so)'",
  })
  void shouldChooseForEachFunctionAndHandItsArgumentsOn(
      String library, CriticalMode mode, boolean post, boolean poll, String words)
      throws Exception {
    try (Arena arena = Arena.ofShared()) {
      ProviderStub stub = ProviderStub.load(folder, library, arena);
      HotCalls calls = stub.calls(mode);
      assertEquals(post, calls.postCritical());
      assertEquals(poll, calls.pollCritical());
      assertEquals(words, calls.toString());
      stub.arm(0, true);
      assertEquals(12, calls.post(stub.control, stub.chain, stub.result));
      assertEquals(stub.chain.address(), stub.result.get(ValueLayout.JAVA_LONG, 0));
      assertEquals(3, calls.poll(stub.control, 32, stub.result));
      assertEquals(32, stub.argument());
      assertEquals(7, stub.result.get(ValueLayout.JAVA_LONG, 0));
    }
  }

  @Test
  void shouldCallPlainlyWhatNoLibraryHolds() {
    MemorySegment nowhere = MemorySegment.ofAddress(64);
    HotCalls calls = new HotCalls(nowhere, nowhere, CriticalMode.AUTO);
    assertEquals("critical none (auto, provider unknown)", calls.toString());
  }

  /** What the choice is about: a plain call that blocks does not stop a collection. */
  @ParameterizedTest
  @CsvSource({"librxe-rdmav34.so, true", "libmlx5-rdmav34.so, false", "libnew-rdmav34.so, true"})
  @Timeout(120)
  void shouldLetTheJvmCollectWhileAPlainCallBlocks(String library, boolean post) throws Exception {
    try (Arena arena = Arena.ofShared()) {
      ProviderStub stub = ProviderStub.load(folder, library, arena);
      collectDuring(stub, stub.calls(CriticalMode.AUTO), post, LONG_LIMIT);
      assertTrue(stub.sawRelease(), "no collection ended while a plain call waited for it");
    }
  }

  /** Positive control: a critical call holds the collection up until it returns of itself. */
  @ParameterizedTest
  @CsvSource({"librxe-rdmav34.so, false", "libmlx5-rdmav34.so, true"})
  @Timeout(120)
  void shouldHoldUpTheJvmWhileACriticalCallBlocks(String library, boolean post) throws Exception {
    try (Arena arena = Arena.ofShared()) {
      ProviderStub stub = ProviderStub.load(folder, library, arena);
      collectDuring(stub, stub.calls(CriticalMode.AUTO), post, SHORT_LIMIT);
      assertEquals(false, stub.sawRelease(), "a collection ended during a critical call");
    }
  }

  /** Releases the call of another thread after a collection that began during it. */
  private static void collectDuring(ProviderStub stub, HotCalls calls, boolean post, long limit)
      throws InterruptedException {
    stub.arm(limit, false);
    Thread caller =
        Thread.ofPlatform()
            .start(() -> {
              int ignored =
                  post
                      ? calls.post(stub.control, stub.chain, stub.result)
                      : calls.poll(stub.control, 32, stub.result);
            });
    stub.awaitEntered();
    System.gc();
    stub.release();
    caller.join();
  }
}
