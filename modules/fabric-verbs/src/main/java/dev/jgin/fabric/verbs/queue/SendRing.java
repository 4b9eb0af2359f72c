// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.verbs.queue;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.jgin.bindings.ibverbs.ibv_send_wr;
import dev.jgin.bindings.ibverbs.ibv_sge;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The work requests of one lane: {@code depth} slots of {@code ibv_send_wr} and its {@code
 * ibv_sge}, laid out once, each linked to the next and the last to the first. Posting patches the
 * slot of the ticket; ringing cuts the chain behind the last slot, posts the head, and links it
 * again. (The idea of DiSNI's stateful verb calls.)
 *
 * <p>{@code post_send} reads the chain before it returns, so cutting and linking need no other
 * care. Driven by one thread at a time.
 */
public final class SendRing {

  /** {@code IBV_WR_RDMA_WRITE}. */
  static final int RDMA_WRITE = 0;

  /** {@code IBV_WR_RDMA_READ}. */
  static final int RDMA_READ = 4;

  /** {@code IBV_WR_ATOMIC_FETCH_AND_ADD}. */
  static final int FETCH_AND_ADD = 6;

  /** {@code IBV_SEND_SIGNALED}. */
  static final int SIGNALED = 1 << 1;

  /** {@code IBV_SEND_INLINE}. */
  static final int INLINE = 1 << 3;

  private static final long WR_BYTES = ibv_send_wr.sizeof();
  private static final long SLOT_BYTES = WR_BYTES + ibv_sge.sizeof();
  private static final long WR_ID = ibv_send_wr.wr_id$offset();
  private static final long NEXT = ibv_send_wr.next$offset();
  private static final long SG_LIST = ibv_send_wr.sg_list$offset();
  private static final long NUM_SGE = ibv_send_wr.num_sge$offset();
  private static final long OPCODE = ibv_send_wr.opcode$offset();
  private static final long FLAGS = ibv_send_wr.send_flags$offset();
  private static final long RDMA = ibv_send_wr.wr$offset() + ibv_send_wr.wr.rdma$offset();
  private static final long RDMA_ADDRESS = RDMA + ibv_send_wr.wr.rdma.remote_addr$offset();
  private static final long RDMA_KEY = RDMA + ibv_send_wr.wr.rdma.rkey$offset();
  private static final long ATOMIC = ibv_send_wr.wr$offset() + ibv_send_wr.wr.atomic$offset();
  private static final long ATOMIC_ADDRESS = ATOMIC + ibv_send_wr.wr.atomic.remote_addr$offset();
  private static final long ADDEND = ATOMIC + ibv_send_wr.wr.atomic.compare_add$offset();
  private static final long ATOMIC_KEY = ATOMIC + ibv_send_wr.wr.atomic.rkey$offset();
  private static final long SGE_ADDRESS = WR_BYTES + ibv_sge.addr$offset();
  private static final long SGE_BYTES = WR_BYTES + ibv_sge.length$offset();
  private static final long SGE_KEY = WR_BYTES + ibv_sge.lkey$offset();

  private final MemorySegment memory;
  private final MemorySegment[] slots;

  /**
   * The slots as bare addresses, for the call that posts: a segment of a shared arena costs an
   * atomic increment and decrement each time it is handed to a native function.
   */
  private final MemorySegment[] heads;

  /** A ring of {@code depth} slots in memory of {@code arena}. */
  public SendRing(Arena arena, int depth) {
    memory = arena.allocate(depth * SLOT_BYTES, ibv_send_wr.layout().byteAlignment());
    slots = new MemorySegment[depth];
    heads = new MemorySegment[depth];
    for (int i = 0; i < depth; i++) {
      slots[i] = memory.asSlice(i * SLOT_BYTES, SLOT_BYTES);
      heads[i] = MemorySegment.ofAddress(slots[i].address());
    }
    for (int i = 0; i < depth; i++) {
      slots[i].set(JAVA_LONG, SG_LIST, slots[i].address() + WR_BYTES);
      link(i);
    }
  }

  /** Patches a slot into a write; {@code local} may be read until {@code post_send} or later. */
  public void write(
      int slot, long id, boolean inline, long local, int lkey, long remote, int rkey, long bytes) {
    rdma(slot, RDMA_WRITE, id, inline ? INLINE : 0, local, lkey, remote, rkey, bytes);
  }

  /** Patches a slot into a read of {@code remote} into {@code local}. */
  public void read(int slot, long id, long local, int lkey, long remote, int rkey, long bytes) {
    rdma(slot, RDMA_READ, id, 0, local, lkey, remote, rkey, bytes);
  }

  private void rdma(
      int slot,
      int opcode,
      long id,
      int flags,
      long local,
      int lkey,
      long remote,
      int rkey,
      long bytes) {
    MemorySegment s = slots[slot];
    common(s, id, opcode, flags, local, lkey, bytes);
    s.set(JAVA_LONG, RDMA_ADDRESS, remote);
    s.set(JAVA_INT, RDMA_KEY, rkey);
  }

  /** Patches a slot into a fetch-and-add whose result lands in the 8 bytes at {@code local}. */
  public void fetchAndAdd(
      int slot, long id, long local, int lkey, long remote, int rkey, long addend) {
    MemorySegment s = slots[slot];
    common(s, id, FETCH_AND_ADD, 0, local, lkey, Long.BYTES);
    s.set(JAVA_LONG, ATOMIC_ADDRESS, remote);
    s.set(JAVA_LONG, ADDEND, addend);
    s.set(JAVA_INT, ATOMIC_KEY, rkey);
  }

  private static void common(
      MemorySegment s, long id, int opcode, int flags, long local, int lkey, long bytes) {
    s.set(JAVA_LONG, WR_ID, id);
    // A scatter entry of 0 bytes means 2^31 to some providers: no bytes, no entry.
    s.set(JAVA_INT, NUM_SGE, bytes == 0 ? 0 : 1);
    s.set(JAVA_INT, OPCODE, opcode);
    s.set(JAVA_INT, FLAGS, flags);
    s.set(JAVA_LONG, SGE_ADDRESS, local);
    s.set(JAVA_INT, SGE_BYTES, (int) bytes);
    s.set(JAVA_INT, SGE_KEY, lkey);
  }

  /** Asks for a completion of a slot. */
  public void signal(int slot) {
    MemorySegment s = slots[slot];
    s.set(JAVA_INT, FLAGS, s.get(JAVA_INT, FLAGS) | SIGNALED);
  }

  /**
   * Ends the chain behind {@code last}, so that posting {@code first} posts up to there. Returns
   * the bare address of {@code first}, which does not keep the memory open.
   */
  public MemorySegment cut(int first, int last) {
    slots[last].set(JAVA_LONG, NEXT, 0L);
    return heads[first];
  }

  /** Links a slot to the next again. */
  public void link(int slot) {
    slots[slot].set(JAVA_LONG, NEXT, slots[(slot + 1) % slots.length].address());
  }

  /** The slot that begins at a native address: where {@code post_send} says it stopped. */
  public int slotAt(long address) {
    return (int) ((address - memory.address()) / SLOT_BYTES);
  }

  /** A slot's work request and scatter entry, for tests. */
  MemorySegment slot(int slot) {
    return slots[slot];
  }
}
