// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.trace;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import dev.jgin.moe.routing.Routing;
import java.io.IOException;

/**
 * Parses one line into a {@link LogRecord}. Unknown fields are passed over, whatever they hold; a
 * field given twice is an error.
 */
final class LogLineParser {
  private static final int SHOWN = 40;

  // NaN and Infinity are not JSON, but Python writes them: read here so that the refusal can name
  // the weight instead of a syntax error.
  private final JsonFactory json =
      JsonFactory.builder()
          .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .build();

  /** Overwrites {@code record} with the fields of {@code line}. */
  void parse(String line, String file, long number, LogRecord record) throws TraceException {
    record.clear();
    try (JsonParser parser = json.createParser(line)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw new TraceException(
            file, number, "'" + shorten(line) + "' is not a JSON object; need one per line");
      }
      while (parser.nextToken() != JsonToken.END_OBJECT) {
        field(parser, record);
      }
      if (parser.nextToken() != null) {
        throw new TraceException(
            file, number, "text after the JSON object; a log has one record per line");
      }
    } catch (JsonProcessingException e) {
      String column = e.getLocation() == null ? "" : " at column " + e.getLocation().getColumnNr();
      throw new TraceException(
          file,
          number,
          "bad JSON"
              + column
              + ": "
              + firstLine(e.getOriginalMessage())
              + "; was the log cut short?",
          e);
    } catch (TraceException e) {
      throw e;
    } catch (IOException e) {
      throw new TraceException(file, number, "cannot be parsed: " + e.getMessage(), e);
    }
  }

  private static void field(JsonParser parser, LogRecord record) throws IOException {
    String name = parser.currentName();
    parser.nextToken();
    switch (name) {
      case "type" -> record.type = text(parser, name, record);
      case "model", "model_id" -> record.model = text(parser, name, record);
      case "layer", "layer_idx" -> record.layer = number(parser, name, record);
      case "token", "token_idx" -> record.token = number(parser, name, record);
      case "experts", "num_experts" -> record.experts = number(parser, name, record);
      case "top_k" -> record.topK = number(parser, name, record);
      case "topk_ids" -> ids(parser, record);
      case "topk_weights" -> weights(parser, record);
      default -> parser.skipChildren();
    }
  }

  private static String text(JsonParser parser, String name, LogRecord record) throws IOException {
    if (parser.currentToken() == JsonToken.VALUE_STRING) {
      return parser.getText();
    }
    if (parser.currentToken() != JsonToken.VALUE_NULL) {
      record.complain(name + " is " + shown(parser) + ", need a string");
    }
    return null;
  }

  private static long number(JsonParser parser, String name, LogRecord record) throws IOException {
    if (isInt(parser) && parser.getIntValue() >= 0) {
      return parser.getIntValue();
    }
    record.complain(
        name + " is " + shown(parser) + ", need a whole number from 0 to " + Integer.MAX_VALUE);
    return -1;
  }

  private static void ids(JsonParser parser, LogRecord record) throws IOException {
    if (!beginLanes(parser, "topk_ids", record)) {
      return;
    }
    int count = 0;
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      if (!isInt(parser)) {
        record.complain(
            "topk_ids["
                + count
                + "] is "
                + shown(parser)
                + ", need a whole number: an expert, or"
                + " -1 for a masked lane");
      } else if (count < Routing.MAX_TOP_K) {
        record.ids[count] = parser.getIntValue();
      }
      count++;
    }
    record.idCount = lanes("topk_ids", count, record);
  }

  private static void weights(JsonParser parser, LogRecord record) throws IOException {
    if (!beginLanes(parser, "topk_weights", record)) {
      return;
    }
    int count = 0;
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      boolean number = parser.currentToken().isNumeric();
      float weight = number ? (float) parser.getDoubleValue() : Float.NaN;
      if (!(weight >= 0 && weight <= Float.MAX_VALUE)) {
        record.complain(
            "topk_weights["
                + count
                + "] is "
                + shown(parser)
                + ", need a finite number that is not negative");
      } else if (count < Routing.MAX_TOP_K) {
        record.weights[count] = weight;
      }
      count++;
    }
    record.weightCount = lanes("topk_weights", count, record);
  }

  private static boolean beginLanes(JsonParser parser, String name, LogRecord record)
      throws IOException {
    if (parser.currentToken() == JsonToken.START_ARRAY) {
      return true;
    }
    record.complain(name + " is " + shown(parser) + ", need an array");
    return false;
  }

  private static int lanes(String name, int count, LogRecord record) {
    if (count < 1 || count > Routing.MAX_TOP_K) {
      record.complain(name + " has " + count + " entries, need 1 to " + Routing.MAX_TOP_K);
    }
    return count;
  }

  private static boolean isInt(JsonParser parser) throws IOException {
    return parser.currentToken() == JsonToken.VALUE_NUMBER_INT
        && parser.getNumberType() == JsonParser.NumberType.INT;
  }

  /** The value that the parser stands on, passed over if it has parts. */
  private static String shown(JsonParser parser) throws IOException {
    JsonToken token = parser.currentToken();
    if (token == JsonToken.START_ARRAY || token == JsonToken.START_OBJECT) {
      parser.skipChildren();
      return token == JsonToken.START_ARRAY ? "an array" : "an object";
    }
    String text = shorten(parser.getText());
    return token == JsonToken.VALUE_STRING ? "\"" + text + "\"" : text;
  }

  private static String shorten(String text) {
    return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "...";
  }

  private static String firstLine(String text) {
    return text.lines().findFirst().orElse("");
  }
}
