// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.check;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jgin.gin.BarrierProtocol;
import dev.jgin.moe.EpConfigBuilder;
import dev.jgin.moe.StreamInspector;
import dev.jgin.moe.ViolationPolicy;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each check sees the corruption that it stands against, names it in full, and is missed when it is
 * switched off.
 */
class PlantedCorruptionTest {

  static List<Plant> plants() {
    return Plant.all();
  }

  @ParameterizedTest
  @MethodSource("plants")
  void shouldNameWhatIsWrong(Plant plant) {
    guard(plant, UnaryOperator.identity());
  }

  /** The guard above is worth something: without the check it goes red. */
  @ParameterizedTest
  @MethodSource("plants")
  void shouldGoRedWithoutTheCheck(Plant plant) {
    assertThrows(AssertionError.class, () -> guard(plant, config -> config.without(plant.check())));
  }

  @ParameterizedTest
  @MethodSource("plants")
  void shouldKeepTheSameReportWhenViolationsAreCollected(Plant plant) {
    try (Scene scene = scene(plant, config -> config.policy(ViolationPolicy.COLLECT))) {
      strike(scene, plant);
      List<Violation> found = scene.engine(Scene.VICTIM).stream(0).violations();
      assertTrue(
          found.stream()
              .anyMatch(v -> v.check() == plant.check() && v.symptom() == plant.symptom()),
          () -> plant + ": " + found);
      // A row that the victim left out does not return: its source misses it, and says so.
      for (int other : new int[] {0, Scene.PEER}) {
        for (Violation v : scene.engine(other).stream(0).violations()) {
          assertEquals(Symptom.MISSING, v.symptom(), v::describe);
          assertEquals(Scene.VICTIM, v.peer(), v::describe);
        }
      }
    }
  }

  @Test
  void shouldPlantForEveryCheckOfReceivedBytes() {
    Set<Check> planted = Plant.all().stream().map(Plant::check).collect(Collectors.toSet());
    EnumSet<Check> ofWaits = EnumSet.of(Check.DEADLINE, Check.LANE_ERROR);
    assertEquals(EnumSet.complementOf(ofWaits), planted);
  }

  @Test
  void shouldFindNothingWithoutAPlant() {
    try (Scene scene = new Scene(config -> config.audit(true)).warmUp()) {
      scene.begin(Scene.EPOCH);
      scene.dispatch(() -> {});
      assertEquals(0, scene.verdict().wrong());
      scene.combine(() -> {});
    }
  }

  /** The tag in the header is as fresh as the row's first line, and says nothing of the others. */
  @Test
  void shouldMissATornRowWithoutAudit() {
    try (Scene scene = new Scene(UnaryOperator.identity()).warmUp()) {
      scene.begin(Scene.EPOCH);
      scene.dispatch(() -> Plant.tear(scene));
      assertEquals(64, scene.verdict().wrong(), "elements of the stale half");
    }
  }

  /** Order-free rows carry a tag in each line, so no audit is needed to see a stale one. */
  @Test
  void shouldSeeATornRowByItsLines() {
    try (Scene scene = new Scene(config -> config.barrier(BarrierProtocol.ORDER_FREE)).warmUp()) {
      scene.begin(Scene.EPOCH);
      ViolationException thrown =
          assertThrows(
              ViolationException.class, () -> scene.dispatch(() -> replaceSecondLine(scene)));
      Violation violation = thrown.violations().getFirst();
      assertEquals(Symptom.TORN, violation.symptom());
      assertEquals(Check.EPOCH_TAG, violation.check());
      assertEquals(1, violation.row());
    }
  }

  private static void replaceSecondLine(Scene scene) {
    StreamInspector victim = scene.victim();
    long line = 64;
    long at = victim.receivedRowAt(Scene.PEER, 1) + line;
    MemorySegment.copy(scene.firstRows(), at, victim.receivedRows(), at, line);
  }

  private static Scene scene(Plant plant, UnaryOperator<EpConfigBuilder> settings) {
    return new Scene(config -> settings.apply(config.audit(plant.needsAudit()))).warmUp();
  }

  private static void strike(Scene scene, Plant plant) {
    scene.begin(Scene.EPOCH);
    scene.dispatch(() -> strikeIf(!plant.ofCombine(), scene, plant));
    scene.combine(() -> strikeIf(plant.ofCombine(), scene, plant));
  }

  private static void strikeIf(boolean now, Scene scene, Plant plant) {
    if (now) {
      plant.spoil().accept(scene);
    }
  }

  private static void guard(Plant plant, UnaryOperator<EpConfigBuilder> settings) {
    try (Scene scene = scene(plant, settings)) {
      ViolationException thrown =
          assertThrows(ViolationException.class, () -> strike(scene, plant));
      Violation first = thrown.violations().getFirst();
      assertAll(
          thrown.getMessage(),
          () -> assertEquals(plant.check(), first.check()),
          () -> assertEquals(plant.symptom(), first.symptom()),
          () -> assertEquals(Scene.VICTIM, first.rank()),
          () -> assertEquals(Scene.PEER, first.peer()),
          () -> assertEquals(plant.context(), first.context()),
          () -> assertEquals(plant.row(), first.row()),
          () -> assertEquals(Scene.EPOCH, first.expectedEpoch()),
          () -> assertEquals(plant.seenEpoch(), first.seenEpoch()));
    }
  }
}
