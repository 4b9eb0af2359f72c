// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.trace;

import dev.jgin.moe.routing.Routing;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A trace as read, with everything that the reader left out or made up.
 *
 * @param source the file
 * @param routing the tokens of the chosen layer in the order of the file
 * @param model the model that the trace names
 * @param layer the layer that was taken, if the trace numbers layers
 * @param otherLayers records of other layers, left out
 * @param ignored records of other kinds than routes, left out, by their {@code type}
 * @param expertsGuessed whether the number of experts is the largest id plus one, because neither
 *     the trace nor the caller stated it
 * @param weightsMadeUp whether each weight is 1 / top-k, because the trace has none
 */
public record Trace(
    String source,
    Routing routing,
    Optional<String> model,
    OptionalInt layer,
    long otherLayers,
    Map<String, Long> ignored,
    boolean expertsGuessed,
    boolean weightsMadeUp) {
  /** Keeps a copy of {@code ignored}. */
  public Trace {
    ignored = Map.copyOf(ignored);
  }

  /** One line for a report: what was read and what was left out or made up. */
  public String describe() {
    StringBuilder text = new StringBuilder();
    text.append(source).append(": ").append(model.map(m -> m + ", ").orElse(""));
    layer.ifPresent(l -> text.append("layer ").append(l).append(", "));
    text.append(
        "%d tokens, top-%d of %d experts"
            .formatted(routing.tokens(), routing.topK(), routing.experts()));
    if (expertsGuessed) {
      text.append(" (guessed from the largest id)");
    }
    if (weightsMadeUp) {
      text.append(", no weights: each is 1/").append(routing.topK());
    }
    if (otherLayers > 0) {
      text.append(", left out ").append(otherLayers).append(" records of other layers");
    }
    ignored.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .forEach(e ->
            text.append(", left out %d records of type '%s'".formatted(e.getValue(), e.getKey())));
    return text.toString();
  }
}
