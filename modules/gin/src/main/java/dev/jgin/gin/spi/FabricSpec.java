// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gin.spi;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Which carrier to open and how: {@code provider[:option[,option…]]}, each option {@code word} or
 * {@code key=value}, for example {@code emulated:adversarial,a4=off,granule=64}.
 *
 * @param provider name of the {@link FabricProvider}
 * @param options in the order given; a bare word maps to the empty string
 * @param contexts contexts per peer, at least 1
 * @param seed seed of every random choice the carrier makes
 */
public record FabricSpec(String provider, Map<String, String> options, int contexts, long seed) {

  /** Most contexts per peer. */
  public static final int MAX_CONTEXTS = 256;

  public FabricSpec {
    options = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(options));
    if (contexts < 1 || contexts > MAX_CONTEXTS) {
      throw new IllegalArgumentException(
          "contexts = " + contexts + ": it must be in 1.." + MAX_CONTEXTS);
    }
  }

  /**
   * Parses a specification.
   *
   * @throws IllegalArgumentException if a part is empty or an option is given twice
   */
  public static FabricSpec parse(String text, int contexts, long seed) {
    int colon = text.indexOf(':');
    String provider = colon < 0 ? text : text.substring(0, colon);
    if (provider.isEmpty()) {
      throw malformed(text, "the provider's name is empty");
    }
    Map<String, String> options = new LinkedHashMap<>();
    if (colon >= 0) {
      for (String part : text.substring(colon + 1).split(",", -1)) {
        int equals = part.indexOf('=');
        String key = equals < 0 ? part : part.substring(0, equals);
        if (key.isEmpty()) {
          throw malformed(text, "an option is empty");
        }
        if (options.put(key, equals < 0 ? "" : part.substring(equals + 1)) != null) {
          throw malformed(text, "option '" + key + "' is given twice");
        }
      }
    }
    return new FabricSpec(provider, options, contexts, seed);
  }

  private static IllegalArgumentException malformed(String text, String why) {
    return new IllegalArgumentException(
        "fabric '"
            + text
            + "': "
            + why
            + "; the form is provider[:option[,option]], for example emulated:adversarial,a4=off");
  }

  /** The text form again, without contexts and seed. */
  public String text() {
    StringBuilder out = new StringBuilder(provider);
    char separator = ':';
    for (Map.Entry<String, String> option : options.entrySet()) {
      out.append(separator).append(option.getKey());
      if (!option.getValue().isEmpty()) {
        out.append('=').append(option.getValue());
      }
      separator = ',';
    }
    return out.toString();
  }
}
