// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.gpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jgin.gin.DeadlineException;
import dev.jgin.gin.spi.RankTask.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StreamSequenceTest {
  private static final long TIMEOUT = 1000;
  private static final int RANKS = 5;

  /** A GPU with few places: a kernel that waits keeps its place until what it waits for has run. */
  private static final class FakeGpu {
    final int places;
    final List<FakeQueue> queues = new ArrayList<>();

    FakeGpu(int places) {
      this.places = places;
    }

    /** Runs what can run, in any order; the number of kernels that ended. */
    int run(SplittableRandom random) {
      int ended = 0;
      for (int i = 0; i < queues.size() * 4; i++) {
        ended += queues.get(random.nextInt(queues.size())).advance() ? 1 : 0;
      }
      return ended;
    }

    int taken() {
      return (int) queues.stream().filter(q -> q.resident).count();
    }
  }

  private sealed interface Work {
    record Send(int operation, long epoch) implements Work {}

    record Await(FakeQueue other, int operation, long epoch) implements Work {}

    record Receive(int operation, long epoch) implements Work {}
  }

  private static final class FakeQueue implements KernelQueue {
    final FakeGpu gpu;
    final List<Work> work = new ArrayList<>();
    final long[] sent = new long[2];
    final long[] enqueued = new long[2];
    boolean resident;
    int overtook;

    FakeQueue(FakeGpu gpu) {
      this.gpu = gpu;
      gpu.queues.add(this);
    }

    @Override
    public void send(int operation, long epoch) {
      enqueued[operation] = epoch;
      work.add(new Work.Send(operation, epoch));
    }

    @Override
    public void await(KernelQueue other, int operation, long epoch) {
      work.add(new Work.Await((FakeQueue) other, operation, epoch));
    }

    @Override
    public void receive(int operation) {
      for (FakeQueue other : gpu.queues) {
        overtook += other.enqueued[operation] < enqueued[operation] ? 1 : 0;
      }
      work.add(new Work.Receive(operation, enqueued[operation]));
    }

    @Override
    public boolean isDone() {
      return work.isEmpty();
    }

    boolean advance() {
      if (work.isEmpty()) {
        return false;
      }
      Work next = work.getFirst();
      if (next instanceof Work.Await(FakeQueue other, int operation, long epoch)) {
        if (other.sent[operation] >= epoch) {
          work.removeFirst();
        }
        return false;
      }
      if (!resident) {
        resident = gpu.taken() < gpu.places;
        return false;
      }
      switch (next) {
        case Work.Send(int operation, long epoch) -> sent[operation] = epoch;
        case Work.Receive(int operation, long epoch) -> {
          if (gpu.queues.stream().anyMatch(q -> q.sent[operation] < epoch)) {
            return false;
          }
        }
        default -> throw new AssertionError(next);
      }
      work.removeFirst();
      resident = false;
      return true;
    }
  }

  /** Steps all ranks, in any order, until each has done {@code epochs} of both operations. */
  private static boolean layers(FakeGpu gpu, boolean gated, int epochs, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    SendLedger ledger = new SendLedger(RANKS, 1, 0);
    List<StreamSequence> all = new ArrayList<>();
    List<FakeQueue> queues = new ArrayList<>();
    for (int r = 0; r < RANKS; r++) {
      queues.add(new FakeQueue(gpu));
    }
    for (int r = 0; r < RANKS; r++) {
      all.add(new StreamSequence(r, 0, ledger, queues, gated, TIMEOUT, () -> 0));
    }
    int[] done = new int[RANKS];
    for (int idle = 0; idle < 500; ) {
      boolean moved = false;
      int r = random.nextInt(RANKS);
      StreamSequence sequence = all.get(r);
      if (sequence.underWay()) {
        Step step = sequence.step();
        moved = step != Step.WAITING;
        done[r] += step == Step.DONE ? 1 : 0;
      } else if (done[r] < 2 * epochs) {
        sequence.begin(done[r] % 2, done[r] / 2 + 1);
        moved = true;
      }
      moved |= gpu.run(random) > 0;
      idle = moved ? 0 : idle + 1;
    }
    assertTrue(!gated || queues.stream().allMatch(q -> q.overtook == 0), "a receive overtook");
    for (int each : done) {
      if (each != 2 * epochs) {
        return false;
      }
    }
    return true;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, RANKS})
  void shouldNotDependOnHowManyKernelsFitTheGpu(int places) {
    for (long seed = 1; seed <= 20; seed++) {
      assertTrue(layers(new FakeGpu(places), true, 6, seed), "seed " + seed);
    }
  }

  /** Positive control: without the gate a kernel that waits keeps out the one it waits for. */
  @Test
  void shouldStandStillWithoutTheGateWhereNotAllFit() {
    int stuck = 0;
    for (long seed = 1; seed <= 20; seed++) {
      stuck += layers(new FakeGpu(1), false, 6, seed) ? 0 : 1;
    }
    assertTrue(stuck > 0);
    assertTrue(layers(new FakeGpu(RANKS), false, 6, 1), "all fit");
  }

  @Test
  void shouldWaitWithoutBlockingAndNameWhoHasNotBegunAtTheDeadline() {
    SendLedger ledger = new SendLedger(3, 2, 41);
    FakeGpu gpu = new FakeGpu(3);
    List<FakeQueue> queues = List.of(new FakeQueue(gpu), new FakeQueue(gpu), new FakeQueue(gpu));
    long[] now = {7};
    StreamSequence sequence = new StreamSequence(1, 1, ledger, queues, true, TIMEOUT, () -> now[0]);
    sequence.begin(0, 42);
    ledger.announce(1, 0, 0, 42);
    assertEquals(Step.WAITING, sequence.step());
    now[0] += TIMEOUT;
    DeadlineException e = assertThrows(DeadlineException.class, sequence::step);
    assertTrue(
        e.getMessage().contains("dispatch epoch 42, stream 1: ranks [2] have not begun"),
        e::getMessage);
    assertEquals(1, queues.get(1).work.size(), "only the send was launched");
  }

  @Test
  void shouldGiveUpOnKernelsThatDoNotEnd() {
    FakeGpu gpu = new FakeGpu(1);
    long[] now = {0};
    StreamSequence sequence =
        new StreamSequence(
            0,
            0,
            new SendLedger(1, 1, 0),
            List.of(new FakeQueue(gpu)),
            true,
            TIMEOUT,
            () -> now[0]);
    sequence.begin(1, 1);
    assertEquals(Step.PROGRESS, sequence.step());
    now[0] = TIMEOUT;
    assertEquals(Step.WAITING, sequence.step());
    now[0] = 4 * TIMEOUT;
    assertThrows(DeadlineException.class, sequence::step);
  }

  @Test
  void shouldCompareEpochsAcrossTheirWrap() {
    SendLedger ledger = new SendLedger(2, 1, Long.MAX_VALUE - 1);
    ledger.announce(0, 0, 0, Long.MAX_VALUE);
    ledger.announce(0, 0, 1, Long.MIN_VALUE);
    assertTrue(ledger.allSent(0, 0, Long.MAX_VALUE));
    assertFalse(ledger.allSent(0, 0, Long.MIN_VALUE));
    assertEquals(List.of(0), ledger.missing(0, 0, Long.MIN_VALUE));
    assertFalse(ledger.allSent(0, 1, Long.MAX_VALUE), "the other operation");
  }

  @Test
  void shouldRefuseLaunchesOnceARankIsClosing() {
    LaunchGuard guard = new LaunchGuard();
    guard.enter();
    guard.leave();
    guard.close("rank 3 has closed its engine");
    guard.close("another");
    IllegalStateException e = assertThrows(IllegalStateException.class, guard::enter);
    assertTrue(e.getMessage().startsWith("rank 3 has closed its engine"), e::getMessage);
  }
}
