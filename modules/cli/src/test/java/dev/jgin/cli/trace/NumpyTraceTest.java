// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.trace;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jgin.cli.npy.NpyBytes;
import dev.jgin.cli.npy.NpyWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NumpyTraceTest {
  @TempDir Path folder;
  private Path ids;
  private Path weights;

  @BeforeEach
  void nameFiles() {
    ids = folder.resolve("ids.npy");
    weights = folder.resolve("weights.npy");
  }

  @Test
  void shouldReadIdsAndWeights() throws IOException {
    NpyWriter.write(ids, new long[] {3, 1, 2, -1}, 2, 2);
    NpyWriter.write(weights, new float[] {0.5f, 0.25f, 1f, 0f}, 2, 2);
    Trace trace =
        TraceReader.read(ids, Optional.of(weights), TraceOptions.defaults().withExperts(8));
    assertArrayEquals(new int[] {3, 1, 2, -1}, trace.routing().idsCopy());
    assertArrayEquals(new float[] {0.5f, 0.25f, 1f, 0f}, trace.routing().weightsCopy());
    assertEquals(8, trace.routing().experts());
  }

  @Test
  void shouldSayWhatItMadeUp() throws IOException {
    NpyWriter.write(ids, new int[] {3, 1, 2, 0}, 2, 2);
    Trace trace = TraceReader.read(ids, TraceOptions.defaults());
    assertEquals(0.5f, trace.routing().weight(1, 1));
    assertEquals(
        ids
            + ": 2 tokens, top-2 of 4 experts (guessed from the largest id), no weights: each is"
            + " 1/2",
        trace.describe());
  }

  @Test
  void shouldTakeOneLayerOfThree() throws IOException {
    NpyWriter.write(ids, new int[] {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, 2, 3, 2);
    Trace trace = TraceReader.read(ids, TraceOptions.defaults().withLayer(2));
    assertArrayEquals(new int[] {4, 5, 10, 11}, trace.routing().idsCopy());
    assertEquals(OptionalInt.of(2), trace.layer());
    assertEquals(4, trace.otherLayers());
    assertRefused(TraceOptions.defaults(), "has 3 layers by its shape (2, 3, 2); choose one");
    assertRefused(TraceOptions.defaults().withLayer(3), "no layer 3");
  }

  @Test
  void shouldReadFortranOrderAndBigEndianAlike() throws IOException {
    byte[] file =
        NpyBytes.file(
            1,
            NpyBytes.dictionary(">i8", true, "(2, 3)"),
            ByteOrder.BIG_ENDIAN,
            d -> d.putLong(0).putLong(3).putLong(1).putLong(4).putLong(2).putLong(5));
    Files.write(ids, file);
    Trace trace = TraceReader.read(ids, TraceOptions.defaults());
    assertArrayEquals(new int[] {0, 1, 2, 3, 4, 5}, trace.routing().idsCopy());
  }

  @Test
  void shouldReadArchivesStoredAndCompressed() throws IOException {
    NpyWriter.write(ids, new int[] {3, 1}, 1, 2);
    NpyWriter.write(weights, new float[] {0.75f, 0.25f}, 1, 2);
    for (int level : new int[] {0, 9}) {
      Path archive = archive(level, "topk_ids.npy", ids, "topk_weights.npy", weights);
      Trace trace = TraceReader.read(archive, TraceOptions.defaults());
      assertArrayEquals(new int[] {3, 1}, trace.routing().idsCopy());
      assertEquals(0.75f, trace.routing().weight(0, 0));
    }
    Path other = archive(9, "ids.npy", ids, "topk_weights.npy", weights);
    IOException error =
        assertThrows(IOException.class, () -> TraceReader.read(other, TraceOptions.defaults()));
    assertTrue(
        error.getMessage().contains("has no array topk_ids, only ids.npy, topk_weights.npy"));
  }

  @Test
  void shouldRefuseBrokenArchives() throws IOException {
    NpyWriter.write(ids, new int[] {3, 1}, 1, 2);
    Path archive = archive(9, "topk_ids.npy", ids, "topk_weights.npy", ids);
    byte[] whole = Files.readAllBytes(archive);
    for (int length = 0; length < whole.length; length++) {
      Files.write(archive, Arrays.copyOf(whole, length));
      assertThrows(IOException.class, () -> TraceReader.read(archive, TraceOptions.defaults()));
    }
  }

  @Test
  void shouldNameTheElementAndTheLimit() throws IOException {
    NpyWriter.write(ids, new int[] {0, 1, 2, 9}, 2, 2);
    assertRefused(
        TraceOptions.defaults().withExperts(8), "token 1: topk_ids[1] is 9, need -1 to 7");
    NpyWriter.write(ids, new int[] {0, 1, 2, 2}, 2, 2);
    assertRefused(TraceOptions.defaults(), "token 1: topk_ids[1] is 2, the same as topk_ids[0]");
    NpyWriter.write(ids, new long[] {1L << 40, 1}, 1, 2);
    assertRefused(TraceOptions.defaults(), "element [0, 0] is 1099511627776, need -1 to 2047");
    NpyWriter.write(ids, new int[] {0, 1, 2}, 3);
    assertRefused(TraceOptions.defaults(), "ids have the shape (3,), need (tokens, top-k)");
    NpyWriter.write(ids, new int[33], 1, 33);
    assertRefused(TraceOptions.defaults(), "top-33 by its shape (1, 33), need 1 to 32");
    NpyWriter.write(ids, new int[0], 0, 2);
    assertRefused(TraceOptions.defaults(), "has no tokens: its shape is (0, 2)");
    NpyWriter.write(ids, new int[] {0, 1, 2}, 3, 1);
    assertRefused(TraceOptions.defaults().withMaxTokens(2), "3 tokens by its shape (3, 1)");
    NpyWriter.write(ids, new float[] {0, 1}, 1, 2);
    assertRefused(TraceOptions.defaults(), "ids are f4, need integers");
  }

  @Test
  void shouldCompareWeightsWithIds() throws IOException {
    NpyWriter.write(ids, new int[] {0, 1}, 1, 2);
    NpyWriter.write(weights, new float[] {0.5f, Float.NaN}, 1, 2);
    assertWeightsRefused("element [0, 1] is NaN, need a finite number");
    NpyWriter.write(weights, new float[] {-0.5f, 1f}, 1, 2);
    assertWeightsRefused("element [0, 0] is -0.5, need a finite number that is not negative");
    NpyWriter.write(weights, new float[] {0.5f, 1f}, 2, 1);
    assertWeightsRefused("weights have the shape (2, 1), the ids (1, 2)");
    NpyWriter.write(weights, new int[] {1, 1}, 1, 2);
    assertWeightsRefused("weights are i4, need one of f2, f4, f8");
  }

  @Test
  void shouldExplainFilesThatAreNoTraces() throws IOException {
    assertMessage(folder.resolve("absent.jsonl"), Optional.empty(), "no such file");
    assertMessage(folder, Optional.empty(), "is a directory");
    Path log = Files.writeString(folder.resolve("log.jsonl"), "{}");
    assertMessage(log, Optional.of(log), "brings its own weights");
    Path archive = Files.writeString(folder.resolve("a.npz"), "PK");
    assertMessage(archive, Optional.empty(), "is not an .npz archive");
  }

  private Path archive(int level, String firstName, Path first, String secondName, Path second)
      throws IOException {
    Path archive = folder.resolve("trace.npz");
    try (OutputStream out = Files.newOutputStream(archive);
        ZipOutputStream zip = new ZipOutputStream(out)) {
      zip.setLevel(level);
      zip.putNextEntry(new ZipEntry(firstName));
      Files.copy(first, zip);
      zip.putNextEntry(new ZipEntry(secondName));
      Files.copy(second, zip);
    }
    return archive;
  }

  private void assertRefused(TraceOptions options, String complaint) {
    IOException error = assertThrows(IOException.class, () -> TraceReader.read(ids, options));
    assertTrue(error.getMessage().contains(complaint), error.getMessage());
  }

  private void assertWeightsRefused(String complaint) {
    assertMessage(ids, Optional.of(weights), complaint);
  }

  private static void assertMessage(Path file, Optional<Path> weights, String complaint) {
    IOException error =
        assertThrows(
            IOException.class, () -> TraceReader.read(file, weights, TraceOptions.defaults()));
    assertTrue(error.getMessage().contains(complaint), error.getMessage());
  }
}
