// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gin.barrier;

import dev.jgin.gin.BarrierOptions;
import dev.jgin.gin.FenceLevel;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A world of ranks that run the shipped {@link BarrierSteps}: each epoch a rank puts rows to every
 * peer on rotating contexts, arrives, waits, and reads what it received while peers go on.
 *
 * <p>Checked from the moment the wait returns until reading ends: every row holds the current
 * epoch. What is in flight is delivered per lane as the axioms allow; completions come at once, the
 * worst case for whoever trusts them. Own rows and signals arrive at once.
 */
final class BarrierModel {

  /** Bounds and switches. */
  record Config(
      BarrierOptions options,
      int ranks,
      int contexts,
      int rows,
      int epochs,
      boolean a1w,
      boolean a4,
      int idleRank) {

    static Config of(BarrierOptions options, int ranks, int contexts, int rows, int epochs) {
      return new Config(options, ranks, contexts, rows, epochs, true, true, -1);
    }

    Config withoutA1w() {
      return new Config(options, ranks, contexts, rows, epochs, false, a4, idleRank);
    }

    Config withoutA4() {
      return new Config(options, ranks, contexts, rows, epochs, a1w, false, idleRank);
    }

    Config withIdleRank(int rank) {
      return new Config(options, ranks, contexts, rows, epochs, a1w, a4, rank);
    }

    @Override
    public String toString() {
      return "%s %dx%dx%dx%d after epoch %d%s%s%s"
          .formatted(
              options.protocol(),
              ranks,
              contexts,
              rows,
              epochs,
              options.initialEpoch(),
              a1w ? "" : " without A1w",
              a4 ? "" : " without A4",
              idleRank < 0 ? "" : ", rank " + idleRank + " idle");
    }

    int rowsOf(int rank) {
      return rank == idleRank ? 0 : rows;
    }
  }

  /** Receives the successors of a state. */
  interface Sink {
    void step(String label, Consumer<BarrierModel> effect);
  }

  /** The invariant does not hold. */
  static final class Violation extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Violation(String message) {
      super(message);
    }
  }

  private static final long PUT = 0;
  private static final long ARRIVE = 1;
  private static final long WAIT = 2;
  private static final long READ = 3;
  private static final int WORDS = 4;
  private static final long ROW = 0;
  private static final long ADD = 1;
  private static final long STORE = 2;
  private static final long LINE = 3;

  private final Config config;
  private final BarrierSteps[] steps;
  private final long[][] states;
  private final long[] pc;
  private final long[][] cells;
  private final long[][] rows;
  private final long[][] puts;
  private final long[][] lanes;

  BarrierModel(Config config) {
    int n = config.ranks;
    this.config = config;
    this.steps = new BarrierSteps[n];
    this.states = new long[n][];
    this.pc = new long[n];
    this.cells = new long[n][];
    this.rows = new long[n][2 * n * config.rows];
    this.puts = new long[n][n * config.contexts];
    this.lanes = new long[n * config.contexts * n][0];
    BarrierOptions options = config.options;
    if (options.protocol() == dev.jgin.gin.BarrierProtocol.ORDER_FREE) {
      options =
          new BarrierOptions(
              options.protocol(),
              options.fence(),
              options.initialEpoch(),
              Optional.of((member, count, epoch) -> false));
    }
    for (int r = 0; r < n; r++) {
      steps[r] = Protocols.steps(options, n, r, config.contexts);
      states[r] = new long[steps[r].stateLongs()];
      states[r][BarrierSteps.EPOCH] = config.options.initialEpoch();
      cells[r] = new long[(int) steps[r].cells()];
    }
  }

  private BarrierModel(BarrierModel other) {
    this.config = other.config;
    this.steps = other.steps;
    this.states = deep(other.states);
    this.pc = other.pc.clone();
    this.cells = deep(other.cells);
    this.rows = deep(other.rows);
    this.puts = deep(other.puts);
    this.lanes = other.lanes.clone();
  }

  private static long[][] deep(long[][] of) {
    long[][] copy = new long[of.length][];
    for (int i = 0; i < of.length; i++) {
      copy[i] = of[i].clone();
    }
    return copy;
  }

  BarrierModel copy() {
    return new BarrierModel(this);
  }

  long[] key() {
    int length = pc.length;
    for (long[][] part : new long[][][] {states, cells, rows, puts, lanes}) {
      for (long[] words : part) {
        length += words.length + 1;
      }
    }
    long[] key = Arrays.copyOf(pc, length);
    int at = pc.length;
    for (long[][] part : new long[][][] {states, cells, rows, puts, lanes}) {
      for (long[] words : part) {
        key[at++] = words.length;
        System.arraycopy(words, 0, key, at, words.length);
        at += words.length;
      }
    }
    return key;
  }

  boolean finished() {
    for (int r = 0; r < config.ranks; r++) {
      if (!ended(r)) {
        return false;
      }
    }
    return true;
  }

  private boolean ended(int rank) {
    return pc[rank] == PUT && epoch(rank) - config.options.initialEpoch() == config.epochs;
  }

  private long epoch(int rank) {
    return states[rank][BarrierSteps.EPOCH];
  }

  private int lane(int source, int context, int target) {
    return (source * config.contexts + context) * config.ranks + target;
  }

  private int row(long epoch, int source, int slot) {
    return (int) (((epoch & 1) * config.ranks + source) * config.rows + slot);
  }

  void successors(Sink sink) {
    for (int r = 0; r < config.ranks; r++) {
      int rank = r;
      if (ended(rank)) {
        continue;
      }
      switch ((int) pc[rank]) {
        case (int) PUT ->
            sink.step("rank " + rank + " puts epoch " + (epoch(rank) + 1), m -> m.put(rank));
        case (int) ARRIVE -> sink.step("rank " + rank + " arrives", m -> m.arrive(rank));
        case (int) WAIT -> {
          if (copy().wouldPass(rank)) {
            sink.step("rank " + rank + " passes epoch " + epoch(rank), m -> m.pass(rank));
          }
        }
        default -> sink.step("rank " + rank + " reads epoch " + epoch(rank), m -> m.read(rank));
      }
    }
    for (int l = 0; l < lanes.length; l++) {
      for (int i = 0; i < lanes[l].length; i += WORDS) {
        if (deliverable(lanes[l], i)) {
          int lane = l;
          int at = i;
          sink.step(describe(l, i), m -> m.deliver(lane, at));
        }
      }
    }
  }

  private boolean deliverable(long[] queue, int at) {
    boolean row = queue[at] == ROW || queue[at] == LINE;
    for (int i = 0; i < at; i += WORDS) {
      boolean earlierRow = queue[i] == ROW || queue[i] == LINE;
      if (row && earlierRow && config.a1w) {
        return false;
      }
      if (!row && (!earlierRow || config.a4)) {
        return false;
      }
    }
    return true;
  }

  private String describe(int lane, int at) {
    int target = lane % config.ranks;
    int context = lane / config.ranks % config.contexts;
    int source = lane / config.ranks / config.contexts;
    String what =
        lanes[lane][at] == ROW ? "row" : lanes[lane][at] == LINE ? "count line" : "signal";
    return what
        + " on context "
        + context
        + " from rank "
        + source
        + " becomes visible at rank "
        + target;
  }

  private void put(int rank) {
    long epoch = epoch(rank) + 1;
    for (int target = 0; target < config.ranks; target++) {
      for (int slot = 0; slot < config.rowsOf(rank) && target != rank; slot++) {
        int context = (int) Long.remainderUnsigned(slot + target + epoch, config.contexts);
        puts[rank][context * config.ranks + target]++;
        send(rank, context, target, ROW, row(epoch, rank, slot), epoch, 0);
      }
      Protocols.count(steps[rank], states[rank], target, target == rank ? 0 : config.rowsOf(rank));
    }
    pc[rank] = ARRIVE;
  }

  private void arrive(int rank) {
    if (!steps[rank].arrive(states[rank], new Port(rank))) {
      throw new Violation("an arrival on lanes with room was not complete");
    }
    pc[rank] = WAIT;
  }

  private boolean wouldPass(int rank) {
    return steps[rank].poll(states[rank], new Port(rank));
  }

  private void pass(int rank) {
    wouldPass(rank);
    pc[rank] = READ;
    check(rank);
  }

  private void read(int rank) {
    check(rank);
    pc[rank] = PUT;
  }

  private void check(int rank) {
    long epoch = epoch(rank);
    for (int source = 0; source < config.ranks; source++) {
      for (int slot = 0; slot < config.rowsOf(source) && source != rank; slot++) {
        long seen = rows[rank][row(epoch, source, slot)];
        if (seen != epoch) {
          throw new Violation(
              "rank "
                  + rank
                  + " reads row "
                  + slot
                  + " of rank "
                  + source
                  + ": epoch "
                  + seen
                  + " instead of "
                  + epoch);
        }
      }
    }
  }

  private void send(
      int source, int context, int target, long kind, long index, long value, long second) {
    long[] queue = lanes[lane(source, context, target)];
    long[] longer = Arrays.copyOf(queue, queue.length + WORDS);
    longer[queue.length] = kind;
    longer[queue.length + 1] = index;
    longer[queue.length + 2] = value;
    longer[queue.length + 3] = second;
    if (source == target) {
      apply(target, longer, queue.length);
    } else {
      lanes[lane(source, context, target)] = longer;
    }
  }

  private void deliver(int lane, int at) {
    long[] queue = lanes[lane];
    apply(lane % config.ranks, queue, at);
    long[] shorter = new long[queue.length - WORDS];
    System.arraycopy(queue, 0, shorter, 0, at);
    System.arraycopy(queue, at + WORDS, shorter, at, queue.length - at - WORDS);
    lanes[lane] = shorter;
    // A reader between the end of its wait and the end of its reading must not see this change a
    // row.
    int target = lane % config.ranks;
    if (pc[target] == READ) {
      check(target);
    }
  }

  private void apply(int target, long[] queue, int at) {
    int index = (int) queue[at + 1];
    long value = queue[at + 2];
    switch ((int) queue[at]) {
      case (int) ROW -> rows[target][index] = value;
      case (int) ADD -> cells[target][index] += value;
      case (int) STORE -> cells[target][index] = value;
      default -> {
        cells[target][index] = value;
        cells[target][index + 1] = queue[at + 3];
      }
    }
  }

  private final class Port implements BarrierPort {
    private final int rank;

    Port(int rank) {
      this.rank = rank;
    }

    @Override
    public boolean tryAdd(int context, int member, long cell, long addend) {
      send(rank, context, member, ADD, cell, addend, 0);
      return true;
    }

    @Override
    public boolean tryStore(int context, int member, long cell, long value) {
      send(rank, context, member, STORE, cell, value, 0);
      return true;
    }

    @Override
    public boolean tryStoreLine(int context, int member, long cell, long count, long tag) {
      send(rank, context, member, LINE, cell, count, tag);
      return true;
    }

    @Override
    public long load(long cell) {
      return cells[rank][(int) cell];
    }

    @Override
    public long puts(int context, int member) {
      return puts[rank][context * config.ranks + member];
    }

    @Override
    public boolean flushed(int context, int member) {
      return true;
    }

    @Override
    public boolean fresh(int member, long count, long epoch) {
      for (int slot = 0; slot < count; slot++) {
        if (rows[rank][row(epoch, member, slot)] != epoch) {
          return false;
        }
      }
      return true;
    }
  }

  static BarrierOptions options(dev.jgin.gin.BarrierProtocol protocol, long initialEpoch) {
    return new BarrierOptions(
        protocol, FenceLevel.PUT, initialEpoch, Optional.of((member, count, epoch) -> false));
  }
}
