// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.verbs.device;

import dev.jgin.bindings.ibverbs.ibv_wc;
import dev.jgin.bindings.ibverbs.verbs_h;
import dev.jgin.fabric.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/** One completion queue, polled in batches into memory of its own. One thread at a time. */
public final class CompletionQueue implements AutoCloseable {

  /** What to do with one completion. */
  @FunctionalInterface
  public interface Sink {
    /**
     * Takes a completion.
     *
     * @param id what the work request carried
     * @param status {@code enum ibv_wc_status}; 0 is success
     * @param vendorError the provider's own code, where status is not 0
     */
    void completed(long id, int status, int vendorError);
  }

  private static final int BATCH = 32;
  private static final long WC_BYTES = ibv_wc.sizeof();
  private static final long WR_ID = ibv_wc.wr_id$offset();
  private static final long STATUS = ibv_wc.status$offset();
  private static final long VENDOR = ibv_wc.vendor_err$offset();

  private final Device device;
  private final HotCalls calls;
  private final MemorySegment queue;
  private final MemorySegment batch;
  private final MemorySegment bareBatch;

  /** A queue of at least {@code entries} entries whose batch lives in {@code arena}. */
  public CompletionQueue(Device device, Arena arena, int entries) {
    this.device = device;
    this.calls = device.calls();
    this.batch = ibv_wc.allocateArray(BATCH, arena);
    this.bareBatch = HotCalls.bare(batch);
    this.queue =
        Native.createCq(device.context(), entries)
            .orThrow(
                "a completion queue of " + entries + " entries on device '" + device.name() + "'",
                "use fewer contexts or a smaller depth");
  }

  MemorySegment queue() {
    return queue;
  }

  /**
   * Gives every completion that is there to {@code sink}.
   *
   * @throws VerbsException if the queue itself failed (it overflowed, or the device is gone)
   */
  public void poll(Sink sink) {
    int n;
    do {
      n = calls.poll(queue, BATCH, bareBatch);
      if (n > 0) {
        // What a completed read brought, and what other devices wrote before, is read after this.
        VarHandle.acquireFence();
      }
      for (long at = 0; at < n * WC_BYTES; at += WC_BYTES) {
        sink.completed(
            batch.get(ValueLayout.JAVA_LONG, at + WR_ID),
            batch.get(ValueLayout.JAVA_INT, at + STATUS),
            batch.get(ValueLayout.JAVA_INT, at + VENDOR));
      }
    } while (n == BATCH);
    if (n < 0) {
      throw new VerbsException(
          "polling a completion queue of device '"
              + device.name()
              + "' failed: it overflowed or the"
              + " device is gone; open the fabric anew",
          -n);
    }
  }

  @Override
  public void close() {
    int busy = verbs_h.ibv_destroy_cq(queue);
    assert busy == 0 : "completion queue closed before its queue pairs: " + busy;
  }
}
