// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gpu.proxy;

import dev.jgin.gin.Communicator;
import dev.jgin.gin.Context;
import dev.jgin.gin.Window;
import dev.jgin.gin.spi.Fabric;
import dev.jgin.gin.spi.Region;

/**
 * Posts the descriptors of one ring on its lane, in the ring's order, and knows when they are
 * complete. They have been checked. One thread at a time, the one that owns the context; allocates
 * nothing.
 */
final class LanePoster {
  private final Fabric fabric;
  private final Context context;
  private final int index;
  private final int peer;
  private final ProxyWindows windows;
  private boolean unrung;
  private long target;

  LanePoster(Communicator comm, ProxyWindows windows, RingMemory ring) {
    this.fabric = comm.fabric();
    this.index = ring.context();
    this.context = comm.context(index);
    this.peer = ring.peer();
    this.windows = windows;
  }

  int context() {
    return index;
  }

  int peer() {
    return peer;
  }

  /** Posts a put, store or signal; false if the lane is full even after it was rung and polled. */
  boolean post(Descriptor d) {
    if (!tryPost(d)) {
      ring();
      context.poll();
      if (!tryPost(d)) {
        return false;
      }
    }
    unrung = true;
    return true;
  }

  private boolean tryPost(Descriptor d) {
    int operation = d.operation();
    Window dst = windows.window(d.targetWindow());
    if (operation == Descriptor.PUT) {
      Window src = windows.window(d.sourceWindow());
      return context.tryPutDeferred(peer, dst, d.dstOffset(), src, d.srcOffset(), d.bytes());
    }
    if (operation == Descriptor.PUT_VALUE && dst != null) {
      return context.tryPutValue(peer, dst, d.dstOffset(), d.fullValue(), Long.BYTES);
    }
    Region signals = windows.signals(d.targetWindow());
    long ticket =
        operation == Descriptor.SIGNAL
            ? fabric.atomicAdd(index, peer, signals, d.dstOffset(), d.value())
            : fabric.writeInline(index, peer, signals, d.dstOffset(), d.fullValue(), Long.BYTES);
    return ticket != Fabric.FULL;
  }

  /** Rings the doorbell if something was posted since it was last rung. */
  void ring() {
    if (unrung) {
      unrung = false;
      context.ring(peer);
    }
  }

  /** Everything that has been posted on the lane so far is what {@link #complete} asks for. */
  void mark() {
    target = fabric.posted(index, peer);
  }

  /**
   * Whether everything in front of the mark is complete, so that its sources may be overwritten.
   * Says nothing about a lane in error, where all counts as complete: look at the error words.
   */
  boolean complete() {
    long completed = fabric.completed(index, peer);
    // A lane that was rebuilt counts anew: there, all that is posted must be complete.
    return completed >= target || completed >= fabric.posted(index, peer);
  }

  /** {@link #complete}, after ringing and reaping: other rings may keep the engine from that. */
  boolean completeAfterLooking() {
    if (complete()) {
      return true;
    }
    ring();
    context.poll();
    return complete();
  }

  /** How many completions {@link #complete} still misses, for messages. */
  long outstanding() {
    return complete() ? 0 : target - fabric.completed(index, peer);
  }
}
