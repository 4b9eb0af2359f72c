// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.trace;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JsonlTraceReaderTest {
  private static final String META = "{\"model\": \"m\", \"experts\": 8, \"top_k\": 2}\n";
  private static final String GOOD = record(0, 0, "[0, 7]", "[0.5, 0.25]");

  private static String record(int layer, int token, String ids, String weights) {
    return "{\"layer\": %d, \"token\": %d, \"topk_ids\": %s, \"topk_weights\": %s}\n"
        .formatted(layer, token, ids, weights);
  }

  private static Trace read(String log, TraceOptions options) throws IOException {
    byte[] bytes = log.getBytes(StandardCharsets.UTF_8);
    return new JsonlTraceReader(new ByteArrayInputStream(bytes), "log", options).read();
  }

  private static Trace read(String log) throws IOException {
    return read(log, TraceOptions.defaults());
  }

  @Test
  void shouldReadTheMetaLineAndRecordsInOrder() throws IOException {
    Trace trace = read(META + GOOD + "\n" + record(0, 1, "[3, -1]", "[1, 0]"));
    assertEquals(Optional.of("m"), trace.model());
    assertEquals(8, trace.routing().experts());
    assertArrayEquals(new int[] {0, 7, 3, -1}, trace.routing().idsCopy());
    assertArrayEquals(new float[] {0.5f, 0.25f, 1f, 0f}, trace.routing().weightsCopy());
    assertEquals("log: m, layer 0, 2 tokens, top-2 of 8 experts", trace.describe());
  }

  @Test
  void shouldReadLogsOfLoggingPatches() throws IOException {
    Trace trace =
        read(
            """
            {"type": "meta", "model_id": "q", "layers_logged": [0], "device": {"a": [1]}, "top_k": 2}
            {"type": "route", "req_id": "a", "token_idx": 0, "layer": 0, "topk_ids": [4, 1], "topk_weights": [0.5, 0.5]}
            {"type": "timing", "req_id": "a", "topk_ids": "none", "seconds": 1.5}
            {"type": "route", "req_id": "b", "token_idx": 0, "layer": 0, "topk_ids": [2, 0], "topk_weights": [0.5, 0.5]}
            {"type": "timing", "req_id": "b"}
            """);
    assertEquals(2, trace.routing().tokens());
    assertEquals(Map.of("timing", 2L), trace.ignored());
    assertTrue(trace.expertsGuessed());
    assertEquals(5, trace.routing().experts());
    assertEquals(
        "log: q, layer 0, 2 tokens, top-2 of 5 experts (guessed from the largest id),"
            + " left out 2 records of type 'timing'",
        trace.describe());
  }

  @Test
  void shouldTakeTheChosenLayerOnly() throws IOException {
    String log = META + GOOD + record(5, 0, "[1, 2]", "[1, 1]") + record(0, 1, "[1, 2]", "[1, 1]");
    Trace trace = read(log, TraceOptions.defaults().withLayer(5));
    assertEquals(OptionalInt.of(5), trace.layer());
    assertEquals(1, trace.routing().tokens());
    assertEquals(2, trace.otherLayers());
    assertRefused(log, "log:3: layer is 5 after records of layer 0; choose one");
    TraceOptions absent = TraceOptions.defaults().withLayer(9);
    IOException error = assertThrows(IOException.class, () -> read(log, absent));
    assertEquals("log: no record of layer 9 among 3 records of other layers", error.getMessage());
  }

  @Test
  void shouldTakeTheNumberOfExpertsFromItsCaller() throws IOException {
    Trace trace = read(GOOD, TraceOptions.defaults().withExperts(64));
    assertEquals(64, trace.routing().experts());
    assertFalse(trace.expertsGuessed());
    TraceOptions other = TraceOptions.defaults().withExperts(64);
    IOException error = assertThrows(IOException.class, () -> read(META + GOOD, other));
    assertTrue(error.getMessage().startsWith("log:1: experts is 8, but 64 were asked for"));
  }

  @Test
  void shouldAcceptAByteOrderMarkAndCarriageReturns() throws IOException {
    String log = "\uFEFF" + (META + GOOD).replace("\n", "\r\n");
    assertEquals(1, read(log.stripTrailing()).routing().tokens());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "[0, 8]           | [1, 1]       | topk_ids[1] is 8, need -1 to 7, as there are 8 experts",
        "[-2, 1]          | [1, 1]       | topk_ids[0] is -2, need -1 to 7",
        "[3, 3]           | [1, 1]       | topk_ids[1] is 3, the same as topk_ids[0]",
        "[1, 2, 3]        | [1, 1, 1]    | top-3, but the log's first line says top_k 2",
        "[1]              | [1]          | top-1, but the log's first line says top_k 2",
        "[1, 2]           | [1]          | 2 topk_ids but 1 topk_weights",
        "[1, 2]           | [NaN, 1]     | topk_weights[0] is NaN, need a finite number",
        "[1, 2]           | [1, Infinity] | topk_weights[1] is Infinity, need a finite number",
        "[1, 2]           | [-Infinity, 1] | topk_weights[0] is -Infinity, need a finite number",
        "[1, 2]           | [-0.5, 1]    | topk_weights[0] is -0.5, need a finite number that is",
        "[1, 2]           | [1e39, 1]    | topk_weights[0] is 1e39, need a finite number",
        "[1, 2]           | [\"a\", 1]   | topk_weights[0] is \"a\", need a finite number",
        "[1, 2]           | [[1], 1]     | topk_weights[0] is an array, need a finite number",
        "[1.0, 2]         | [1, 1]       | topk_ids[0] is 1.0, need a whole number",
        "[null, 2]        | [1, 1]       | topk_ids[0] is null, need a whole number",
        "[99999999999, 2] | [1, 1]       | topk_ids[0] is 99999999999, need a whole number",
        "[{\"a\": 1}, 2]  | [1, 1]       | topk_ids[0] is an object, need a whole number",
        "7                | [1, 1]       | topk_ids is 7, need an array",
        "[]               | []           | topk_ids has 0 entries, need 1 to 32",
        "[1, 2            | [1, 1]       | bad JSON at column",
      })
  void shouldNameTheValueAndTheLimit(String ids, String weights, String complaint) {
    String log = META + GOOD + record(0, 1, ids, weights);
    assertRefused(log, "log:3: " + complaint);
  }

  @Test
  void shouldRefuseRaggedTokensWithoutAMetaLine() {
    assertRefused(
        GOOD + record(0, 1, "[1, 2, 3]", "[1, 1, 1]"),
        "log:2: top-3 after tokens of top-2; every token needs the same number of experts");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"token\": 0, \"topk_ids\": [1, 2], \"topk_weights\": [1, 1]} | has no layer",
        "{\"layer\": 0, \"topk_ids\": [1, 2], \"topk_weights\": [1, 1]} | has no token",
        "{\"layer\": 0, \"token\": 0, \"topk_weights\": [1, 1]}         | has no topk_ids",
        "{\"layer\": 0, \"token\": 0, \"topk_ids\": [1, 2]}             | has no topk_weights",
        "{\"layer\": -1, \"token\": 0, \"topk_ids\": [1, 2]}            | layer is -1, need",
        "{\"layer\": \"0\", \"token\": 0, \"topk_ids\": [1, 2]}         | layer is \"0\", need",
        "{\"layer\": 0, \"token\": true, \"topk_ids\": [1, 2]}          | token is true, need",
        "{\"layer\": 0, \"layer\": 1}                                   | bad JSON",
        "{\"type\": 5, \"layer\": 0}                                    | type is 5, need a string",
        "[1, 2]                                                         | is not a JSON object",
        "hello                                                          | bad JSON",
        "{\"layer\": 0} {}                                              | text after the JSON",
        "{\"layer\": 0                                                  | bad JSON",
      })
  void shouldNameWhatIsMissingOrOfTheWrongType(String line, String complaint) {
    assertRefused(META + GOOD + line + "\n", "log:3: ");
    assertRefused(META + GOOD + line + "\n", complaint);
    // As the first line it must not pass for a meta line either.
    assertThrows(TraceException.class, () -> read(line + "\n" + GOOD));
  }

  @Test
  void shouldRefuseLogsWithoutRecords() {
    assertRefused("", "log: is empty");
    assertRefused("\n \n\t\n", "log: is empty");
    assertRefused(META, "log: has no route records");
    assertRefused("{\"type\": \"timing\"}\n", "log: has no route records");
  }

  @ParameterizedTest
  @CsvSource({"0", "2049", "4000000000"})
  void shouldRefuseImpossibleNumbersOfExperts(String experts) {
    assertRefused("{\"experts\": " + experts + "}\n" + GOOD, "log:1: experts is " + experts);
  }

  @Test
  void shouldRefuseMoreLanesThanExperts() {
    assertRefused(
        "{\"experts\": 1}\n" + record(0, 0, "[0, -1]", "[1, 0]"), "log: top-2 of 1 experts");
  }

  @Test
  void shouldRefuseTooManyTokens() {
    TraceOptions options = TraceOptions.defaults().withMaxTokens(2);
    TraceException error =
        assertThrows(TraceException.class, () -> read(META + GOOD.repeat(3), options));
    assertTrue(error.getMessage().startsWith("log:4: more than 2 tokens, the limit"));
  }

  @Test
  void shouldKeepEveryTokenOfALongLog() throws IOException {
    StringBuilder log = new StringBuilder(META);
    for (int t = 0; t < 5_000; t++) {
      log.append(record(0, t, "[" + t % 8 + ", " + (t + 1) % 8 + "]", "[" + t + ", 1]"));
    }
    Trace trace = read(log.toString());
    assertEquals(5_000, trace.routing().tokens());
    for (int t = 0; t < 5_000; t++) {
      assertEquals(t % 8, trace.routing().id(t, 0));
      assertEquals(t, trace.routing().weight(t, 0));
    }
  }

  private static void assertRefused(String log, String complaint) {
    TraceException error = assertThrows(TraceException.class, () -> read(log));
    assertTrue(error.getMessage().contains(complaint), error.getMessage());
  }
}
