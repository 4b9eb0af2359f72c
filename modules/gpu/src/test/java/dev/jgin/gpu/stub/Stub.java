// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gpu.stub;

import dev.jgin.bindings.NativeLibrary;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.List;

/** Asks the stand-in what it was called with, and tells it when to fail. For one thread. */
@SuppressWarnings("restricted") // The prototypes are those of cuda_stub.c.
public final class Stub {
  /**
   * One call.
   *
   * @param name the function of the driver, without a version
   * @param words what its arguments were, the first five
   */
  public record Call(String name, List<Long> words) {}

  private static final int WORDS = 5;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
  private static final MethodHandle RESET = find("stub_reset", FunctionDescriptor.ofVoid());
  private static final MethodHandle CALLS = find("stub_calls", FunctionDescriptor.of(LONG));
  private static final MethodHandle NAME =
      find("stub_name", FunctionDescriptor.of(ValueLayout.ADDRESS, LONG));
  private static final MethodHandle WORD =
      find("stub_word", FunctionDescriptor.of(LONG, LONG, INT));
  private static final MethodHandle FAIL =
      find("stub_fail", FunctionDescriptor.ofVoid(ValueLayout.ADDRESS, INT));
  private static final MethodHandle LAUNCH =
      find("stub_launch", FunctionDescriptor.of(ValueLayout.ADDRESS));
  private static final MethodHandle ARGUMENT =
      find("stub_argument", FunctionDescriptor.of(ValueLayout.ADDRESS));

  private Stub() {}

  private static MethodHandle find(String symbol, FunctionDescriptor descriptor) {
    if (StubLibrary.problem().isPresent()) {
      throw new IllegalStateException(StubLibrary.problem().get());
    }
    return Linker.nativeLinker()
        .downcallHandle(NativeLibrary.CUDA.find(symbol).orElseThrow(), descriptor);
  }

  /** Forgets what was called and what should fail. */
  public static void reset() {
    try {
      RESET.invokeExact();
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  /** Lets every further call of {@code function} return {@code result}; 0 heals it. */
  public static void fail(String function, int result) {
    try (Arena arena = Arena.ofConfined()) {
      FAIL.invokeExact(arena.allocateFrom(function), result);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  /** What was called since the last reset, in order. */
  public static List<Call> calls() {
    try {
      List<Call> calls = new ArrayList<>();
      long count = (long) CALLS.invokeExact();
      for (long i = 0; i < count; i++) {
        List<Long> words = new ArrayList<>();
        for (int word = 0; word < WORDS; word++) {
          words.add((long) WORD.invokeExact(i, word));
        }
        calls.add(new Call(text((MemorySegment) NAME.invokeExact(i)), words));
      }
      return calls;
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  /** The calls of one function. */
  public static List<Call> calls(String function) {
    return calls().stream().filter(call -> call.name().equals(function)).toList();
  }

  /** The last launch as C read it: grid, block, shared memory, attributes. */
  public static String launch() {
    try {
      return text((MemorySegment) LAUNCH.invokeExact());
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  /** The first bytes of the argument of the last launch. */
  public static byte[] argument(int bytes) {
    try {
      return ((MemorySegment) ARGUMENT.invokeExact())
          .reinterpret(bytes)
          .toArray(ValueLayout.JAVA_BYTE);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  private static String text(MemorySegment pointer) {
    return pointer.reinterpret(Long.MAX_VALUE).getString(0);
  }
}
