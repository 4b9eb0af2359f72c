// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.lang.module.ModuleDescriptor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The arrows between rooms are those of docs/architecture.md, in the module descriptors and in the
 * byte code. The descriptors alone would not do: tests and JMH run on the class path, where no
 * descriptor is enforced.
 */
class ArrowsTest {
  private static final House HOUSE = House.find();

  /** Every class of every room, with the room it lives in. */
  private static final Map<String, String> ROOM_OF_CLASS = new HashMap<>();

  private static final Map<String, JavaClasses> CLASSES = new HashMap<>();

  static Stream<String> rooms() {
    return HOUSE.rooms().stream();
  }

  @BeforeAll
  static void importClasses() {
    for (String room : HOUSE.rooms()) {
      JavaClasses classes = new ClassFileImporter().importPath(HOUSE.classes(room));
      CLASSES.put(room, classes);
      classes.forEach(type -> ROOM_OF_CLASS.put(type.getName(), room));
    }
  }

  @ParameterizedTest
  @MethodSource("rooms")
  void shouldRequireExactlyTheDrawnRooms(String room) {
    ModuleDescriptor descriptor = HOUSE.descriptor(room);
    Set<String> required = new TreeSet<>();
    for (ModuleDescriptor.Requires requires : descriptor.requires()) {
      String target = HOUSE.roomOfModule(requires.name());
      if (target != null) {
        required.add(target);
      }
    }
    assertEquals(HOUSE.moduleName(room), descriptor.name());
    assertEquals(HOUSE.arrows(room), required, "rooms required by " + descriptor.name());
  }

  @ParameterizedTest
  @MethodSource("rooms")
  void shouldUseNoClassAcrossAnUndrawnArrow(String room) {
    Set<String> allowed = HOUSE.arrows(room);
    List<String> offences = new ArrayList<>();
    assertFalse(CLASSES.get(room).isEmpty(), "no class found in " + HOUSE.classes(room));
    for (JavaClass type : CLASSES.get(room)) {
      for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
        JavaClass target = dependency.getTargetClass().getBaseComponentType();
        String targetRoom = ROOM_OF_CLASS.get(target.getName());
        if (targetRoom != null && !targetRoom.equals(room) && !allowed.contains(targetRoom)) {
          offences.add(dependency.getDescription());
        }
      }
    }
    assertEquals(List.of(), offences, "arrows that docs/architecture.md does not draw");
  }

  @Test
  void shouldKeepTheModelOnJavaBaseAlone() {
    Set<String> required = new TreeSet<>();
    HOUSE.descriptor("gin").requires().forEach(requires -> required.add(requires.name()));
    assertEquals(Set.of("java.base"), required);
  }

  /** Native code belongs to the bindings and to rooms whose arrow names them; "all" does not. */
  static Stream<String> roomsWithoutNativeCode() {
    return rooms().filter(room -> !room.equals("bindings") && !HOUSE.names(room, "bindings"));
  }

  @ParameterizedTest
  @MethodSource("roomsWithoutNativeCode")
  void shouldCallNoNativeCode(String room) {
    List<String> offences = new ArrayList<>();
    for (JavaClass type : CLASSES.get(room)) {
      type.getMethods().stream()
          .filter(method -> method.getModifiers().contains(JavaModifier.NATIVE))
          .forEach(method -> offences.add(method.getFullName() + " is native"));
      for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
        String target = dependency.getTargetClass().getName();
        if (target.equals("java.lang.foreign.Linker")
            || target.equals("java.lang.foreign.SymbolLookup")) {
          offences.add(dependency.getDescription());
        }
      }
    }
    assertEquals(List.of(), offences);
  }
}
