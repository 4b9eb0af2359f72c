// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gpu.proxy;

import dev.jgin.bindings.abi.abi_h;
import dev.jgin.gin.Barrier;
import dev.jgin.gin.BarrierOptions;
import dev.jgin.gin.Communicator;
import dev.jgin.gin.FenceLevel;
import dev.jgin.gin.Window;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * What the kernels of one rank do to their proxy, as non-blocking steps: write the rows of an
 * operation, push its descriptors in pieces, wait for the proxy word, check what came. Dispatch and
 * combine alternate; send windows are reused as soon as the word allows it.
 */
final class GpuTwin {
  private static final VarHandle WORD = ValueLayout.JAVA_LONG.varHandle();
  private static final int SLOTS = 5;
  private static final int WORDS_PER_STEP = 24;

  final Communicator comm;
  final ProxyEngine engine;
  final ProxyStream stream;
  final MemorySegment words;
  long stale;

  private final int self;
  private final TwinRows rows;
  private final Window[] send = new Window[2];
  private final Window[] receive = new Window[2];
  private final Window counts;
  private final List<TwinLane> lanes = new ArrayList<>();
  private final SplittableRandom random;
  private final int epochs;
  private long operation;
  private boolean pushing;
  private boolean done;

  GpuTwin(Communicator comm, ProxyWorld.Setting setting, Arena arena) {
    this.comm = comm;
    this.self = comm.rank();
    this.epochs = setting.epochs();
    this.rows = new TwinRows(comm.size(), SLOTS, 3);
    this.random = new SplittableRandom(setting.seed() * 31 + self);
    for (int kind = 0; kind < 2; kind++) {
      send[kind] = comm.registerWindow("send " + kind, rows.sendBytes());
      receive[kind] = comm.registerWindow("receive " + kind, rows.receiveBytes());
    }
    this.counts = comm.registerWindow("counts", 4L * comm.size() * Long.BYTES);
    this.words = arena.allocate(ProxyWords.BYTES, 128);
    ProxyWindows windows =
        ProxyWindows.none()
            .with(abi_h.JGIN_WINDOW_SEND_ROWS(), send[0])
            .with(abi_h.JGIN_WINDOW_RECEIVE_ROWS(), receive[0])
            .with(abi_h.JGIN_WINDOW_RECEIVE_COUNTS(), counts)
            .with(abi_h.JGIN_WINDOW_SEND_RETURNS(), send[1])
            .with(abi_h.JGIN_WINDOW_RECEIVE_RETURNS(), receive[1]);
    List<RingMemory> rings = new ArrayList<>();
    for (int context = 0; context < comm.contexts(); context++) {
      for (int peer = 0; peer < comm.size(); peer++) {
        if (peer != self) {
          RingMemory ring = RingMemory.allocate(context, peer, setting.ringSize(), arena);
          rings.add(ring);
          lanes.add(new TwinLane(new RingProducer(ring, random.nextLong()), rows, self));
        }
      }
    }
    this.engine = new ProxyEngine(comm, setting.options());
    this.stream =
        engine.register(
            new ProxyStreamSpec(
                0, windows, barrier(setting, 0), barrier(setting, 1), rings, words));
  }

  private Barrier barrier(ProxyWorld.Setting setting, int kind) {
    return comm.barrier(
        "operation " + kind,
        comm.world(),
        new BarrierOptions(
            setting.protocol(),
            FenceLevel.PUT,
            0,
            Optional.of((member, announced, epoch) -> fresh(kind, member, announced, epoch))));
  }

  /** ORDER_FREE: whether the rows and the count of a member are here. */
  private boolean fresh(int kind, int member, long announced, long epoch) {
    if (member == self) {
      return true;
    }
    int expected = rows.rows(kind, epoch, member, self);
    if (announced != expected + 1) {
      throw new AssertionError(announced + " puts announced by " + member + ", not " + expected);
    }
    for (int slot = 0; slot < expected; slot++) {
      if (!rows.fresh(receive[kind].local(), epoch, member, slot)) {
        return false;
      }
    }
    return countSeen(kind, epoch, member) == rows.count(kind, epoch, member, self);
  }

  private long countSeen(int kind, long epoch, int member) {
    long at = kind * 2L * comm.size() * Long.BYTES + rows.countAt(epoch, member);
    return (long) WORD.getAcquire(counts.local(), at);
  }

  boolean isDone() {
    return done;
  }

  private int kind() {
    return (int) (operation % 2);
  }

  private long epoch() {
    return operation / 2 + 1;
  }

  /** One step; whether anything moved. */
  boolean step() {
    if (done) {
      return false;
    }
    if (!pushing) {
      begin();
      pushing = true;
      return true;
    }
    if (error() != 0) {
      done = true;
      return true;
    }
    boolean moved = false;
    boolean all = true;
    int left = WORDS_PER_STEP;
    int first = random.nextInt(lanes.size());
    for (int i = 0; i < lanes.size(); i++) {
      TwinLane lane = lanes.get((first + i) % lanes.size());
      int written = lane.push(random.nextInt(left + 1));
      left -= written;
      moved |= written > 0;
      all &= lane.isDone();
    }
    return moved || (all && pass());
  }

  private long error() {
    return (long) WORD.getAcquire(words, kind() * 16L + Long.BYTES);
  }

  private void begin() {
    int kind = kind();
    for (int peer = 0; peer < comm.size(); peer++) {
      for (int slot = 0; slot < rows.rows(kind, epoch(), self, peer); slot++) {
        rows.write(send[kind].local(), kind, epoch(), self, peer, slot);
      }
    }
    for (TwinLane lane : lanes) {
      lane.begin(kind, epoch(), comm.contexts());
    }
  }

  private boolean pass() {
    if ((long) WORD.getAcquire(words, kind() * 16L) != epoch()) {
      return false;
    }
    int kind = kind();
    for (int source = 0; source < comm.size(); source++) {
      if (source == self) {
        continue;
      }
      for (int slot = 0; slot < rows.rows(kind, epoch(), source, self); slot++) {
        stale += rows.wrong(receive[kind].local(), kind, epoch(), source, self, slot);
      }
      long count = rows.count(kind, epoch(), source, self);
      stale += countSeen(kind, epoch(), source) == count ? 0 : 1;
    }
    operation++;
    pushing = false;
    done = operation == 2L * epochs;
    return true;
  }
}
