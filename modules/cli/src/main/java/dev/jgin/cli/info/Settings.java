// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.info;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeSet;

/** The known settings with their values, and what looks like one and is none. */
public final class Settings {

  /** How many letters a name may differ from a known one to be taken for it. */
  private static final int LETTERS = 3;

  /** Where a value comes from. */
  public enum Origin {
    /** A variable of the environment. */
    ENVIRONMENT("environment"),
    /** A {@code -D} option of the JVM. */
    SYSTEM_PROPERTY("system property"),
    /** Nobody set it. */
    DEFAULT("default");

    private final String words;

    Origin(String words) {
      this.words = words;
    }

    /** In words, the same in all reports. */
    public String words() {
      return words;
    }
  }

  /**
   * A setting.
   *
   * @param value as it is set; empty by default
   * @param unset what happens by default
   */
  public record Value(
      String name, Optional<String> value, Origin origin, String unset, String meaning) {}

  /** A name that nothing reads, and the known one that was probably meant. */
  public record Unknown(String name, String value, Origin origin, Optional<String> meant) {}

  private final Map<String, String> environment;
  private final Properties properties;

  /** The settings of a process with this environment and these properties. */
  public Settings(Map<String, String> environment, Properties properties) {
    this.environment = Map.copyOf(environment);
    this.properties = properties;
  }

  /** Every known setting, in the order of the catalogue. */
  List<Value> known() {
    return Known.SETTINGS.stream().map(this::value).toList();
  }

  private Value value(Known.Setting setting) {
    String found =
        setting.isProperty()
            ? properties.getProperty(setting.name())
            : environment.get(setting.name());
    return new Value(
        setting.name(),
        Optional.ofNullable(found),
        found == null ? Origin.DEFAULT : origin(setting.name()),
        setting.unset(),
        setting.meaning());
  }

  /** What is set under jgin's prefixes and known to nobody, by name: most likely a typing error. */
  List<Unknown> unknown() {
    List<Unknown> unknown = new ArrayList<>();
    for (String name : new TreeSet<>(environment.keySet())) {
      if (name.startsWith(Known.VARIABLE_PREFIX) && !Known.has(name)) {
        unknown.add(unknown(name, environment.get(name)));
      }
    }
    for (String name : new TreeSet<>(properties.stringPropertyNames())) {
      if (name.startsWith(Known.PROPERTY_PREFIX) && !Known.has(name)) {
        unknown.add(unknown(name, properties.getProperty(name)));
      }
    }
    return unknown;
  }

  private static Unknown unknown(String name, String value) {
    String meant = null;
    int least = LETTERS + 1;
    for (Known.Setting setting : Known.SETTINGS) {
      int distance = Letters.distance(name, setting.name());
      if (distance < least) {
        least = distance;
        meant = setting.name();
      }
    }
    return new Unknown(name, value, origin(name), Optional.ofNullable(meant));
  }

  private static Origin origin(String name) {
    return name.startsWith(Known.PROPERTY_PREFIX) ? Origin.SYSTEM_PROPERTY : Origin.ENVIRONMENT;
  }
}
