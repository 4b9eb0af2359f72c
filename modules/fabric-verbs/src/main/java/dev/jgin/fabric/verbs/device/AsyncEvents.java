// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.verbs.device;

import dev.jgin.bindings.ibverbs.ibv_async_event;
import dev.jgin.bindings.ibverbs.ibv_context;
import dev.jgin.bindings.ibverbs.verbs_h;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** What a device reports by itself: failed queue pairs, ports that go up and down. One thread. */
public final class AsyncEvents {

  /** Whom an event concerns. */
  public enum Scope {
    /** One queue pair: it failed as a responder, or could not report an error otherwise. */
    QUEUE_PAIR,
    /** The whole device. */
    DEVICE,
    /** A port, or something that needs no action. */
    OTHER
  }

  /**
   * One event.
   *
   * @param scope whom it concerns
   * @param what in the library's words
   * @param pair where scope is a queue pair, else 0
   */
  public record Event(Scope scope, String what, long pair) {

    /** Whether it speaks of {@code other}. */
    public boolean concerns(QueuePair other) {
      return scope == Scope.QUEUE_PAIR && other.isAt(pair);
    }
  }

  /** {@code int poll(struct pollfd *, nfds_t, int)}. */
  private static final MethodHandle POLL = poll();

  private static final short POLLIN = 1;

  private final Device device;
  private final MemorySegment descriptor;
  private final MemorySegment event;

  /** Events of a device, read into memory of {@code arena}. */
  public AsyncEvents(Device device, Arena arena) {
    this.device = device;
    this.descriptor = arena.allocate(8, 4);
    descriptor.set(ValueLayout.JAVA_INT, 0, ibv_context.async_fd(device.context()));
    descriptor.set(ValueLayout.JAVA_SHORT, 4, POLLIN);
    this.event = ibv_async_event.allocate(arena);
  }

  // A function of the C library with the prototype above.
  @SuppressWarnings("restricted")
  private static MethodHandle poll() {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(
        linker.defaultLookup().findOrThrow("poll"),
        FunctionDescriptor.of(
            ValueLayout.JAVA_INT,
            ValueLayout.ADDRESS,
            ValueLayout.JAVA_LONG,
            ValueLayout.JAVA_INT));
  }

  /** The next event, or null if there is none. Does not block. */
  public Event next() {
    if (!ready() || verbs_h.ibv_get_async_event(device.context(), event) != 0) {
      return null;
    }
    int type = ibv_async_event.event_type(event);
    Scope scope = scope(type);
    long pair =
        scope == Scope.QUEUE_PAIR
            ? ibv_async_event.element.qp(ibv_async_event.element(event)).address()
            : 0;
    String what = verbs_h.ibv_event_type_str(type).getString(0);
    verbs_h.ibv_ack_async_event(event);
    return new Event(scope, what, pair);
  }

  private boolean ready() {
    try {
      return (int) POLL.invokeExact(descriptor, 1L, 0) > 0;
    } catch (Throwable e) {
      throw new AssertionError("a C function throws nothing", e);
    }
  }

  private static Scope scope(int type) {
    if (type == verbs_h.IBV_EVENT_QP_FATAL()
        || type == verbs_h.IBV_EVENT_QP_REQ_ERR()
        || type == verbs_h.IBV_EVENT_QP_ACCESS_ERR()) {
      return Scope.QUEUE_PAIR;
    }
    return type == verbs_h.IBV_EVENT_DEVICE_FATAL() || type == verbs_h.IBV_EVENT_CQ_ERR()
        ? Scope.DEVICE
        : Scope.OTHER;
  }
}
