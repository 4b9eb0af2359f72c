// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** How every document of the command is written down. Stateless. */
public final class Json {

  private Json() {}

  /** The document, indented, ending with a line break. */
  public static String text(ObjectNode node) {
    try {
      return new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValueAsString(node)
          + System.lineSeparator();
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a tree of plain values cannot fail to be written", e);
    }
  }
}
