// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.routing;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RoutingGeneratorTest {
  static Stream<RoutingGenerator> generators() {
    return Stream.of(
        new UniformRouting(64, 8),
        new UniformRouting(4, 4),
        new ZipfRouting(60, 4, 1.2),
        new ZipfRouting(32, 32, 16),
        new HotRouting(64, 8),
        new DeepSeekV3Routing());
  }

  @ParameterizedTest
  @MethodSource("generators")
  void shouldReplayFromItsSeed(RoutingGenerator generator) {
    Routing routing = generator.generate(100, 7);
    Routing again = generator.generate(100, 7);
    assertArrayEquals(routing.idsCopy(), again.idsCopy());
    assertArrayEquals(routing.weightsCopy(), again.weightsCopy());
    Routing longer = generator.generate(150, 7).slice(0, 100);
    assertArrayEquals(routing.idsCopy(), longer.idsCopy());
  }

  @ParameterizedTest
  @MethodSource("generators")
  void shouldGivePositiveWeightsThatSumToOneOrTheRouteScale(RoutingGenerator generator) {
    Routing routing = generator.generate(500, 8);
    assertEquals(0, generator.generate(0, 8).tokens());
    float sum = generator instanceof DeepSeekV3Routing ? 2.5f : 1f;
    for (int t = 0; t < routing.tokens(); t++) {
      float total = 0f;
      for (int k = 0; k < routing.topK(); k++) {
        assertTrue(routing.weight(t, k) > 0f);
        total += routing.weight(t, k);
      }
      assertEquals(sum, total, 1e-5f);
    }
  }

  @Test
  void shouldDifferBetweenSeeds() {
    RoutingGenerator uniform = new UniformRouting(64, 8);
    assertFalse(
        Arrays.equals(uniform.generate(10, 1).idsCopy(), uniform.generate(10, 2).idsCopy()));
  }

  @Test
  void shouldLoadExpertsEvenlyWhenUniform() {
    // 64 x 1000 expected; 6 standard deviations of a hypergeometric count are about 178.
    long[] loads = new UniformRouting(64, 8).generate(8_000, 9).loads();
    for (long load : loads) {
      assertEquals(1000.0, (double) load, 180.0);
    }
    long[] zero = new ZipfRouting(64, 8, 0).generate(8_000, 9).loads();
    for (long load : zero) {
      assertEquals(1000.0, (double) load, 180.0);
    }
  }

  @Test
  void shouldFollowZipfsLaw() {
    int tokens = 200_000;
    long[] loads = new ZipfRouting(8, 1, 1.0).generate(tokens, 10).loads();
    double harmonic = IntStream.rangeClosed(1, 8).mapToDouble(i -> 1.0 / i).sum();
    for (int e = 0; e < 8; e++) {
      double p = 1 / ((e + 1) * harmonic);
      double deviation = Math.sqrt(tokens * p * (1 - p));
      assertEquals(tokens * p, (double) loads[e], 6 * deviation, "expert " + e);
    }
  }

  @Test
  void shouldSkewMoreWithALargerExponent() {
    double previous = 0;
    for (double exponent : new double[] {0, 0.5, 1, 2}) {
      long[] loads = new ZipfRouting(60, 4, exponent).generate(4_000, 11).loads();
      double share = loads[0] / 4_000.0;
      assertTrue(share > previous, "exponent " + exponent + ": share " + share);
      previous = share;
      for (int e = 10; e < 60; e += 10) {
        long here = Arrays.stream(loads, e - 10, e).sum();
        long next = Arrays.stream(loads, e, Math.min(60, e + 10)).sum();
        assertTrue(exponent == 0 || here > next, "exponent " + exponent + ", expert " + e);
      }
    }
  }

  @Test
  void shouldSendEveryTokenToTheSameExpertsWhenHot() {
    Routing routing = new HotRouting(64, 8).generate(300, 12);
    long[] loads = Arrays.stream(routing.loads()).filter(load -> load > 0).toArray();
    assertArrayEquals(new long[] {300, 300, 300, 300, 300, 300, 300, 300}, loads);
    assertEquals(0.125f, routing.weight(299, 7));
  }

  @Test
  void shouldLimitDeepSeekTokensToFourGroups() {
    Routing routing = new DeepSeekV3Routing().generate(3_000, 13);
    int[] tokensByGroups = new int[9];
    for (int t = 0; t < routing.tokens(); t++) {
      long groups = 0;
      for (int k = 0; k < 8; k++) {
        groups |= 1L << (routing.id(t, k) / 32);
      }
      tokensByGroups[Long.bitCount(groups)]++;
    }
    assertEquals(3_000, IntStream.rangeClosed(1, 4).map(g -> tokensByGroups[g]).sum());
    assertTrue(tokensByGroups[4] > 1_000, Arrays.toString(tokensByGroups));
    assertTrue(Arrays.stream(routing.loads()).min().orElseThrow() > 0, "every expert is used");
  }

  @Test
  void shouldKnowThatTheGroupLimitIsNotTrivial() {
    Routing free = new UniformRouting(256, 8).generate(1_000, 13);
    boolean beyondFour = false;
    for (int t = 0; t < free.tokens(); t++) {
      int token = t;
      beyondFour |= IntStream.range(0, 8).map(k -> free.id(token, k) / 32).distinct().count() > 4;
    }
    assertTrue(beyondFour, "without the limit, tokens reach more than four groups");
  }

  @Test
  void shouldParseWhatTheCommandLineSays() {
    assertEquals(new UniformRouting(64, 8), RoutingGenerator.parse("uniform", 64, 8));
    assertEquals(new ZipfRouting(64, 8, 1.2), RoutingGenerator.parse("zipf:1.2", 64, 8));
    assertEquals(new HotRouting(64, 8), RoutingGenerator.parse("hot", 64, 8));
    assertEquals(new DeepSeekV3Routing(), RoutingGenerator.parse("deepseek-v3", 256, 8));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "Uniform",
        "zipf",
        "zipf:",
        "zipf:x",
        "zipf:-1",
        "zipf:NaN",
        "zipf:17",
        "hot:1",
        "deepseek-v3"
      })
  void shouldRefuseAndNameTheValue(String spec) {
    var error =
        assertThrows(IllegalArgumentException.class, () -> RoutingGenerator.parse(spec, 64, 8));
    assertTrue(error.getMessage().matches(".*(need |use |write ).*"), error.getMessage());
  }

  @Test
  void shouldRefuseTooManyTokens() {
    assertThrows(
        IllegalArgumentException.class,
        () -> new UniformRouting(64, 8).generate(Integer.MAX_VALUE, 1));
    assertThrows(IllegalArgumentException.class, () -> new UniformRouting(64, 8).generate(-1, 1));
  }
}
