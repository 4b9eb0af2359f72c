// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.info;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.junit.jupiter.api.Test;

class SettingsTest {

  private static Settings settings(Map<String, String> environment, String... properties) {
    Properties set = new Properties();
    for (int i = 0; i < properties.length; i += 2) {
      set.setProperty(properties[i], properties[i + 1]);
    }
    return new Settings(environment, set);
  }

  private static Settings.Value named(Settings settings, String name) {
    return settings.known().stream().filter(s -> s.name().equals(name)).findFirst().orElseThrow();
  }

  @Test
  void shouldSayWhereAValueComesFrom() {
    Settings settings = settings(Map.of("JGIN_QUICK", "true"), "jgin.seed", "7");
    assertEquals(Settings.Origin.ENVIRONMENT, named(settings, "JGIN_QUICK").origin());
    assertEquals(Optional.of("true"), named(settings, "JGIN_QUICK").value());
    assertEquals(Settings.Origin.SYSTEM_PROPERTY, named(settings, "jgin.seed").origin());
    assertEquals(Settings.Origin.DEFAULT, named(settings, "JGIN_JOB").origin());
    assertEquals(Optional.empty(), named(settings, "JGIN_JOB").value());
    assertEquals(List.of(), settings.unknown());
  }

  @Test
  void shouldTakeAnEmptyVariableForSet() {
    Settings.Value value = named(settings(Map.of("JGIN_JAVA_OPTS", "")), "JGIN_JAVA_OPTS");
    assertEquals(Optional.of(""), value.value());
    assertEquals(Settings.Origin.ENVIRONMENT, value.origin());
  }

  @Test
  void shouldNameUnknownSettingsAndTheOneThatWasMeant() {
    Settings settings =
        settings(
            Map.of("JGIN_JAVA_OTPS", "-Xmx1g", "JGIN_COLOUR", "red", "PATH", "/bin"),
            "jgin.sed",
            "1",
            "java.home",
            "/opt");
    List<Settings.Unknown> unknown = settings.unknown();
    assertEquals(
        List.of("JGIN_COLOUR", "JGIN_JAVA_OTPS", "jgin.sed"),
        unknown.stream().map(Settings.Unknown::name).toList());
    assertEquals(
        List.of(Optional.empty(), Optional.of("JGIN_JAVA_OPTS"), Optional.of("jgin.seed")),
        unknown.stream().map(Settings.Unknown::meant).toList());
  }

  @Test
  void shouldKeepQuietAboutInternalNames() {
    Settings settings = settings(Map.of("JGIN_ROOT", "/checkout"), "jgin.verbs.required", "true");
    assertEquals(List.of(), settings.unknown());
    assertTrue(settings.known().stream().noneMatch(s -> s.name().equals("JGIN_ROOT")));
  }

  @Test
  void shouldCountLetters() {
    assertEquals(0, Letters.distance("same", "same"));
    assertEquals(3, Letters.distance("kitten", "sitting"));
    assertEquals(4, Letters.distance("", "four"));
  }
}
