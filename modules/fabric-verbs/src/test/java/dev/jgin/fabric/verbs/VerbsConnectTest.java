// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jgin.gin.DeadlineException;
import dev.jgin.gin.InProcessBootstrap;
import dev.jgin.gin.spi.Bootstrap;
import dev.jgin.gin.spi.Fabric;
import dev.jgin.gin.spi.FabricSpec;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Ranks that do not come, do not stay or do not agree while a fabric opens. */
@ExtendWith(NeedsDevice.class)
@Timeout(120)
class VerbsConnectTest {

  private static final String QUICK = NeedsDevice.fabric() + ",connect=1";

  private static Fabric open(String spec, Bootstrap bootstrap) {
    return new VerbsFabricProvider().open(FabricSpec.parse(spec, 2, 1), bootstrap);
  }

  /** A rank that dies when it comes to one exchange. */
  private record Deserter(Bootstrap real, String at) implements Bootstrap {
    @Override
    public int rank() {
      return real.rank();
    }

    @Override
    public int ranks() {
      return real.ranks();
    }

    @Override
    public List<byte[]> allGather(String key, byte[] value, long timeoutNanos) {
      if (key.equals(at)) {
        throw new IllegalStateException("died");
      }
      return real.allGather(key, value, timeoutNanos);
    }

    @Override
    public void close() {
      real.close();
    }
  }

  private static void assertNamesRank1(DeadlineException e, String exchange) {
    String why = e.getMessage();
    assertTrue(why.contains("rank 0: deadline of 1000 ms passed"), why);
    assertTrue(why.contains("exchange '" + exchange + "': ranks [1] did not come"), why);
    assertTrue(why.contains("connect=SECONDS"), why);
  }

  private static void assertOpens() {
    try (Fabric alone = open(QUICK, InProcessBootstrap.world(1).getFirst())) {
      assertEquals(1, alone.ranks(), "what was left half open is released");
    }
  }

  @Test
  void shouldNameTheRankThatNeverComes() {
    List<Bootstrap> world = InProcessBootstrap.world(2);
    assertNamesRank1(
        assertThrows(DeadlineException.class, () -> open(QUICK, world.getFirst())), "verbs.open");
    assertOpens();
  }

  @Test
  void shouldNameTheRankThatDiesBetweenExchangeAndConnecting() throws InterruptedException {
    List<Bootstrap> world = InProcessBootstrap.world(2);
    try (ExecutorService other = Executors.newSingleThreadExecutor()) {
      Future<Fabric> dying =
          other.submit(() -> open(QUICK, new Deserter(world.get(1), "verbs.connected")));
      assertNamesRank1(
          assertThrows(DeadlineException.class, () -> open(QUICK, world.getFirst())),
          "verbs.connected");
      assertEquals(
          "died", assertThrows(ExecutionException.class, dying::get).getCause().getMessage());
    }
    assertOpens();
  }

  @Test
  void shouldRefuseOnBothSidesWhatTwoRanksOpenDifferentlyAndNameBoth() throws InterruptedException {
    List<Bootstrap> world = InProcessBootstrap.world(2);
    try (ExecutorService other = Executors.newSingleThreadExecutor()) {
      Future<Fabric> theirs = other.submit(() -> open(QUICK + ",mtu=512", world.get(1)));
      assertNamesBoth(
          assertThrows(
              IllegalArgumentException.class, () -> open(QUICK + ",mtu=1024", world.getFirst())));
      assertNamesBoth(
          assertInstanceOf(
              IllegalArgumentException.class,
              assertThrows(ExecutionException.class, theirs::get).getCause()));
    }
  }

  private static void assertNamesBoth(IllegalArgumentException e) {
    assertTrue(e.getMessage().contains("mtu=1024"), e.getMessage());
    assertTrue(e.getMessage().contains("mtu=512"), e.getMessage());
    assertTrue(e.getMessage().contains("every rank must open the same fabric"), e.getMessage());
  }
}
