// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.verbs.device;

import dev.jgin.bindings.SharedObjects;
import dev.jgin.bindings.ibverbs.ibv_context_ops;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.Locale;

/**
 * The two functions of a provider that every turn of a lane calls, {@code post_send} and {@code
 * poll_cq}, each called plainly or as a <em>critical</em> function.
 *
 * <p>A plain call tells the JVM that the thread is in native code, and asks on the way back whether
 * a safepoint waits. A critical one ({@link Linker.Option#critical}) leaves both out and is cheaper
 * by some nanoseconds, but while it lasts no safepoint begins: a critical call that blocks in the
 * kernel stops every thread that wants memory collected. So a function is called that way only
 * where no system call can hide behind the pointer, which the provider's source decides, looked up
 * in rdma-core 64.0 (docs/decisions/0011):
 *
 * <ul>
 *   <li><b>mlx5</b> {@code post_send}: a spin lock, stores into the queue and the doorbell ({@code
 *       _mlx5_post_send}, {@code post_send_db} in providers/mlx5/qp.c). Critical.
 *   <li><b>mlx5</b> {@code poll_cq}: prints to standard error when a completion failed, unless by
 *       flush or exhausted retries, and sleeps for ever if {@code MLX5_FREEZE_ON_ERROR_CQE} asks
 *       ({@code mlx5_parse_cqe} in providers/mlx5/cq.c). Plain: standard error may be a full pipe.
 *   <li><b>rxe</b> {@code post_send}: its doorbell is a {@code write} to the device's file ({@code
 *       post_send_db} in providers/rxe/rxe.c), and the driver may run the packets' work in it.
 *       Plain.
 *   <li><b>rxe</b> {@code poll_cq}: a spin lock and a copy out of memory that the kernel mapped
 *       ({@code rxe_poll_cq}, ibid.). Critical.
 *   <li>any other provider: not looked at. Plain.
 * </ul>
 *
 * <p>The provider is the library that holds the function itself, as the dynamic linker tells: a
 * device's name can be changed, and a container may hide the kernel's view of it.
 *
 * <p>Immutable.
 */
public final class HotCalls {

  private static final FunctionDescriptor POST = ibv_context_ops.post_send.descriptor();
  private static final FunctionDescriptor POLL = ibv_context_ops.poll_cq.descriptor();

  // Constants, so that the compiler sees through them; which one is taken is a branch on a final
  // field, and costs less than a handle that it cannot see through.
  private static final MethodHandle POST_PLAIN = downcall(POST);
  private static final MethodHandle POST_CRITICAL = downcall(POST, Linker.Option.critical(false));
  private static final MethodHandle POLL_PLAIN = downcall(POLL);
  private static final MethodHandle POLL_CRITICAL = downcall(POLL, Linker.Option.critical(false));

  /** A provider as far as it was looked at. */
  enum Provider {
    MLX5(true, false),
    RXE(false, true),
    OTHER(false, false);

    private final boolean post;
    private final boolean poll;

    Provider(boolean post, boolean poll) {
      this.post = post;
      this.poll = poll;
    }

    /** By the library's path; providers are {@code libNAME.so…} or {@code libNAME-rdmavNN.so}. */
    static Provider of(String path) {
      Path name = Path.of(path).getFileName();
      String file = name == null ? "" : name.toString();
      if (file.startsWith("libmlx5.so") || file.startsWith("libmlx5-rdmav")) {
        return MLX5;
      }
      return file.startsWith("librxe.so") || file.startsWith("librxe-rdmav") ? RXE : OTHER;
    }
  }

  private final MemorySegment postSend;
  private final MemorySegment pollCq;
  private final boolean postCritical;
  private final boolean pollCritical;
  private final String words;

  HotCalls(MemorySegment postSend, MemorySegment pollCq, CriticalMode mode) {
    this.postSend = postSend;
    this.pollCq = pollCq;
    // Each by its own library: a tracing layer may have replaced one of them.
    this.postCritical = critical(mode, providerOf(postSend).post);
    this.pollCritical = critical(mode, providerOf(pollCq).poll);
    this.words =
        "critical "
            + (postCritical
                ? (pollCritical ? "post_send and poll_cq" : "post_send")
                : pollCritical ? "poll_cq" : "none")
            + " ("
            + mode.name().toLowerCase(Locale.ROOT)
            + ", "
            + SharedObjects.pathOf(postSend).map(HotCalls::fileName).orElse("provider unknown")
            + ")";
  }

  private static Provider providerOf(MemorySegment function) {
    return SharedObjects.pathOf(function).map(Provider::of).orElse(Provider.OTHER);
  }

  private static boolean critical(CriticalMode mode, boolean harmless) {
    return switch (mode) {
      case AUTO -> harmless;
      case ON -> true;
      case OFF -> false;
    };
  }

  private static String fileName(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  // The descriptors are those of the function pointers in ibv_context_ops.
  @SuppressWarnings("restricted")
  private static MethodHandle downcall(FunctionDescriptor descriptor, Linker.Option... options) {
    return Linker.nativeLinker().downcallHandle(descriptor, options);
  }

  /**
   * The address alone. A segment of a shared arena is kept open during each call it is handed to,
   * by an atomic increment and decrement that cost more than the call's transition; the owner of
   * the memory, which closes queue pairs and queues before their arena, sees to that here.
   */
  static MemorySegment bare(MemorySegment memory) {
    return MemorySegment.ofAddress(memory.address());
  }

  /** {@code post_send}: 0 or the error number; then {@code bad} points to what was refused. */
  int post(MemorySegment pair, MemorySegment chain, MemorySegment bad) {
    try {
      return postCritical
          ? (int) POST_CRITICAL.invokeExact(postSend, pair, chain, bad)
          : (int) POST_PLAIN.invokeExact(postSend, pair, chain, bad);
    } catch (Throwable e) {
      throw new AssertionError("a C function throws nothing", e);
    }
  }

  /** {@code poll_cq}: how many completions it wrote to {@code into}, negative if it failed. */
  int poll(MemorySegment queue, int most, MemorySegment into) {
    try {
      return pollCritical
          ? (int) POLL_CRITICAL.invokeExact(pollCq, queue, most, into)
          : (int) POLL_PLAIN.invokeExact(pollCq, queue, most, into);
    } catch (Throwable e) {
      throw new AssertionError("a C function throws nothing", e);
    }
  }

  boolean postCritical() {
    return postCritical;
  }

  boolean pollCritical() {
    return pollCritical;
  }

  /** For banners, for example {@code critical post_send (auto, libmlx5-rdmav34.so)}. */
  @Override
  public String toString() {
    return words;
  }
}
