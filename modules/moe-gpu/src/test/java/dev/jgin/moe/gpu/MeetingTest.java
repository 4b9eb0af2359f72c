// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.gpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jgin.gin.DeadlineException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class MeetingTest {
  private static final long LONG = 60_000_000_000L;

  @Test
  void shouldGiveEveryRankAllValuesInEachRound() throws InterruptedException, ExecutionException {
    int ranks = 7;
    Meeting meeting = new Meeting(ranks);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<List<String>>> futures = new ArrayList<>();
      for (int r = 0; r < ranks; r++) {
        int rank = r;
        futures.add(
            threads.submit(() -> {
              List<String> last = List.of();
              for (int round = 0; round < 20; round++) {
                last = meeting.meet("round " + round, rank, String.class, rank + "@" + round, LONG);
              }
              // The same name again is another round.
              meeting.meet("round 0", rank, String.class, "again", LONG);
              return last;
            }));
      }
      for (Future<List<String>> future : futures) {
        assertEquals(List.of("0@19", "1@19", "2@19", "3@19", "4@19", "5@19", "6@19"), future.get());
      }
    }
  }

  @Test
  void shouldNameWhoDidNotCome() {
    Meeting meeting = new Meeting(3);
    DeadlineException e =
        assertThrows(DeadlineException.class, () -> meeting.meet("who", 1, String.class, "x", 1));
    assertTrue(e.getMessage().contains("\"who\": ranks [0, 2] did not come"), e::getMessage);
    assertThrows(IllegalStateException.class, () -> meeting.meet("who", 1, String.class, "x", 1));
  }
}
