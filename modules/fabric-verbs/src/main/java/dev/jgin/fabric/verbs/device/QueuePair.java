// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.verbs.device;

import dev.jgin.bindings.ibverbs.ibv_ah_attr;
import dev.jgin.bindings.ibverbs.ibv_gid;
import dev.jgin.bindings.ibverbs.ibv_global_route;
import dev.jgin.bindings.ibverbs.ibv_qp;
import dev.jgin.bindings.ibverbs.ibv_qp_attr;
import dev.jgin.bindings.ibverbs.ibv_qp_cap;
import dev.jgin.bindings.ibverbs.ibv_qp_init_attr;
import dev.jgin.bindings.ibverbs.verbs_h;
import dev.jgin.fabric.verbs.wire.PortAddress;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * One reliable-connected queue pair that only sends: nobody posts receives.
 *
 * <p>Posting is for one thread at a time; {@link #fail} may be called beside it.
 */
public final class QueuePair implements AutoCloseable {

  private static final int HOPS = 64;
  private static final int MOST_READS = 16;
  private static final int RNR_TIMER = 12;

  private final Device device;
  private final HotCalls calls;
  private final QpSettings settings;
  private final MemorySegment pair;
  private final int number;
  private final int inlineBytes;
  private final int psn;
  private final MemorySegment bad;
  private final MemorySegment bareBad;

  /** What {@link #sample} saw. */
  public record PacketNumbers(int nextSend, int expected) {}

  /**
   * A queue pair in state INIT whose first packet will carry {@code psn}.
   *
   * @param arena where the pointer to a refused work request lives
   */
  public QueuePair(
      Device device, Arena arena, CompletionQueue completions, QpSettings settings, int psn) {
    this.device = device;
    this.calls = device.calls();
    this.settings = settings;
    this.psn = psn;
    this.bad = arena.allocate(ValueLayout.ADDRESS);
    this.bareBad = HotCalls.bare(bad);
    try (Arena scratch = Arena.ofConfined()) {
      MemorySegment a = ibv_qp_init_attr.allocate(scratch);
      ibv_qp_init_attr.send_cq(a, completions.queue());
      ibv_qp_init_attr.recv_cq(a, completions.queue());
      ibv_qp_init_attr.qp_type(a, verbs_h.IBV_QPT_RC());
      MemorySegment cap = ibv_qp_init_attr.cap(a);
      ibv_qp_cap.max_send_wr(cap, settings.depth());
      ibv_qp_cap.max_recv_wr(cap, 1);
      ibv_qp_cap.max_send_sge(cap, 1);
      ibv_qp_cap.max_recv_sge(cap, 1);
      ibv_qp_cap.max_inline_data(cap, settings.inlineBytes());
      this.pair =
          Native.createQp(device.domain(), a)
              .orThrow(
                  "a queue pair of depth "
                      + settings.depth()
                      + " with "
                      + settings.inlineBytes()
                      + " bytes inline on device '"
                      + device.name()
                      + "'",
                  "use a smaller depth, inline=0, or fewer contexts");
      this.inlineBytes = ibv_qp_cap.max_inline_data(cap);
    }
    this.number = ibv_qp.qp_num(pair);
    try {
      init();
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  /** Its number, unique on the device while it lives. */
  public int number() {
    return number;
  }

  /** The packet number it begins with. */
  public int psn() {
    return psn;
  }

  /** Longest payload that it takes inside a work request. */
  public int inlineBytes() {
    return inlineBytes;
  }

  /** Whether an event speaks of this queue pair. */
  boolean isAt(long address) {
    return pair.address() == address;
  }

  private void init() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment a = state(arena, verbs_h.IBV_QPS_INIT());
      ibv_qp_attr.port_num(a, (byte) settings.port());
      ibv_qp_attr.qp_access_flags(
          a,
          verbs_h.IBV_ACCESS_LOCAL_WRITE()
              | verbs_h.IBV_ACCESS_REMOTE_WRITE()
              | verbs_h.IBV_ACCESS_REMOTE_READ()
              | verbs_h.IBV_ACCESS_REMOTE_ATOMIC());
      modify(
          a,
          verbs_h.IBV_QP_STATE()
              | verbs_h.IBV_QP_PKEY_INDEX()
              | verbs_h.IBV_QP_PORT()
              | verbs_h.IBV_QP_ACCESS_FLAGS(),
          "INIT");
    }
  }

  /**
   * Connects it: RTR, then RTS.
   *
   * @param mtu path MTU in bytes
   */
  public void connect(PortAddress peer, int peerNumber, int peerPsn, int mtu) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment a = state(arena, verbs_h.IBV_QPS_RTR());
      ibv_qp_attr.path_mtu(a, Mtu.code(mtu));
      ibv_qp_attr.dest_qp_num(a, peerNumber);
      ibv_qp_attr.rq_psn(a, peerPsn);
      ibv_qp_attr.max_dest_rd_atomic(a, (byte) answered(device.limits()));
      ibv_qp_attr.min_rnr_timer(a, (byte) RNR_TIMER);
      route(ibv_qp_attr.ah_attr(a), peer);
      modify(
          a,
          verbs_h.IBV_QP_STATE()
              | verbs_h.IBV_QP_AV()
              | verbs_h.IBV_QP_PATH_MTU()
              | verbs_h.IBV_QP_DEST_QPN()
              | verbs_h.IBV_QP_RQ_PSN()
              | verbs_h.IBV_QP_MAX_DEST_RD_ATOMIC()
              | verbs_h.IBV_QP_MIN_RNR_TIMER(),
          "RTR towards queue pair " + peerNumber + " at " + peer.gid());
      a = state(arena, verbs_h.IBV_QPS_RTS());
      ibv_qp_attr.sq_psn(a, psn);
      ibv_qp_attr.timeout(a, (byte) settings.timeout());
      ibv_qp_attr.retry_cnt(a, (byte) settings.retries());
      ibv_qp_attr.rnr_retry(a, (byte) settings.receiverRetries());
      ibv_qp_attr.max_rd_atomic(
          a, (byte) Math.min(peer.reads(), Math.min(MOST_READS, device.limits().readsAsked())));
      modify(
          a,
          verbs_h.IBV_QP_STATE()
              | verbs_h.IBV_QP_TIMEOUT()
              | verbs_h.IBV_QP_RETRY_CNT()
              | verbs_h.IBV_QP_RNR_RETRY()
              | verbs_h.IBV_QP_SQ_PSN()
              | verbs_h.IBV_QP_MAX_QP_RD_ATOMIC(),
          "RTS");
    }
  }

  /** Reads and atomics that a queue pair of such a device answers at a time. */
  public static int answered(DeviceLimits limits) {
    return Math.min(MOST_READS, limits.readsAnswered());
  }

  private void route(MemorySegment ah, PortAddress peer) {
    ibv_ah_attr.port_num(ah, (byte) settings.port());
    ibv_ah_attr.dlid(ah, (short) peer.lid());
    if (settings.globalRoute()) {
      ibv_ah_attr.is_global(ah, (byte) 1);
      MemorySegment grh = ibv_ah_attr.grh(ah);
      MemorySegment.copy(
          peer.gid().bytes(),
          0,
          ibv_gid.raw(ibv_global_route.dgid(grh)),
          ValueLayout.JAVA_BYTE,
          0,
          16);
      ibv_global_route.sgid_index(grh, (byte) settings.gidIndex());
      ibv_global_route.hop_limit(grh, (byte) HOPS);
    }
  }

  /** Moves it into the error state and makes sure that it is there. */
  public void fail() {
    try (Arena arena = Arena.ofConfined()) {
      modify(state(arena, verbs_h.IBV_QPS_ERR()), verbs_h.IBV_QP_STATE(), "ERR");
      MemorySegment a = query(arena, verbs_h.IBV_QP_STATE());
      if (ibv_qp_attr.qp_state(a) != verbs_h.IBV_QPS_ERR()) {
        throw new IllegalStateException(
            "queue pair "
                + number
                + " of device '"
                + device.name()
                + "' is in state "
                + ibv_qp_attr.qp_state(a)
                + " although it was moved to ERR: do not recover this"
                + " lane");
      }
    }
  }

  /** Its packet numbers now. They stand still once it is in the error state and drained. */
  public PacketNumbers sample() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment a = query(arena, verbs_h.IBV_QP_RQ_PSN() | verbs_h.IBV_QP_SQ_PSN());
      return new PacketNumbers(ibv_qp_attr.sq_psn(a), ibv_qp_attr.rq_psn(a));
    }
  }

  private MemorySegment query(Arena arena, int mask) {
    MemorySegment a = ibv_qp_attr.allocate(arena);
    MemorySegment unused = ibv_qp_init_attr.allocate(arena);
    Native.check(
        verbs_h.ibv_query_qp(pair, a, mask, unused),
        "querying queue pair " + number + " of device '" + device.name() + "'",
        "the device may be gone");
    return a;
  }

  private static MemorySegment state(Arena arena, int state) {
    MemorySegment a = ibv_qp_attr.allocate(arena);
    ibv_qp_attr.qp_state(a, state);
    return a;
  }

  private void modify(MemorySegment attributes, int mask, String to) {
    Native.check(
        verbs_h.ibv_modify_qp(pair, attributes, mask),
        "moving queue pair " + number + " of device '" + device.name() + "' to " + to,
        "is the port up and the peer reachable? see ibv_devinfo and ping");
  }

  /**
   * Posts a chain of work requests, given by its bare address: the doorbell. Returns 0 or the error
   * number; then {@link #refused} is the first that was not posted.
   */
  public int post(MemorySegment chain) {
    return calls.post(pair, chain, bareBad);
  }

  /** Native address of the first work request that the last failed {@link #post} refused. */
  public long refused() {
    return bad.get(ValueLayout.JAVA_LONG, 0);
  }

  @Override
  public void close() {
    int busy = verbs_h.ibv_destroy_qp(pair);
    assert busy == 0 : "queue pair cannot be destroyed: " + busy;
  }
}
