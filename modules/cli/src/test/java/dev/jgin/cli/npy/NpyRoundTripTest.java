// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.npy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NpyRoundTripTest {
  @TempDir Path folder;

  @Test
  void shouldReadBackWhatItWrote() throws IOException {
    Path file = folder.resolve("a.npy");
    NpyWriter.write(file, new int[] {1, -2, 3, Integer.MIN_VALUE, 5, 6}, 2, 3);
    NpyArray ints = NpyReader.read(file);
    assertEquals("(2, 3)", ints.shapeText());
    assertEquals(NpyType.INT32, ints.type());
    assertEquals(Integer.MIN_VALUE, ints.longAt(1, 0));
    assertEquals(3, ints.longAt(0, 2));

    NpyWriter.write(file, new long[] {Long.MAX_VALUE, -1}, 2);
    assertEquals(Long.MAX_VALUE, NpyReader.read(file).longAt(0));
    assertEquals("(2,)", NpyReader.read(file).shapeText());

    NpyWriter.write(file, new float[] {0.1f, Float.NaN, -0f}, 3, 1);
    NpyArray floats = NpyReader.read(file);
    assertEquals(0.1f, floats.doubleAt(0, 0));
    assertTrue(Double.isNaN(floats.doubleAt(1, 0)));

    NpyWriter.write(file, new int[0], 0, 8);
    assertEquals(0, NpyReader.read(file).elements());
    NpyWriter.write(file, new int[] {7});
    assertEquals(7, NpyReader.read(file).longAt());
  }

  @Test
  void shouldWriteSegmentsInPieces() throws IOException {
    byte[] bytes = new byte[300_000];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (i * 31);
    }
    Path file = folder.resolve("rows.npy");
    MemorySegment segment = MemorySegment.ofArray(bytes);
    try (NpyWriter writer = new NpyWriter(file, NpyType.UINT16, 150, 1000)) {
      writer.write(segment, 0, 100_001);
      writer.write(segment, 100_001, 0);
      writer.write(segment, 100_001, 199_999);
    }
    byte[] whole = Files.readAllBytes(file);
    assertArrayEquals(bytes, Arrays.copyOfRange(whole, whole.length - bytes.length, whole.length));
    assertEquals((bytes[2] & 0xFF) | (bytes[3] & 0xFF) << 8, NpyReader.read(file).longAt(0, 1));
  }

  @Test
  void shouldBeginItsDataAtAMultipleOf64AndEndItsHeaderWithANewline() {
    for (int dimensions = 0; dimensions < 12; dimensions++) {
      List<Long> shape = Stream.generate(() -> 10L).limit(dimensions).toList();
      byte[] header = new NpyHeader(NpyType.UINT8, ByteOrder.LITTLE_ENDIAN, false, shape).encode();
      assertEquals(0, header.length % 64);
      assertEquals('\n', header[header.length - 1]);
      assertEquals(header.length - 10, (header[8] & 0xFF) | (header[9] & 0xFF) << 8);
    }
    byte[] header =
        new NpyHeader(NpyType.INT32, ByteOrder.LITTLE_ENDIAN, false, List.of(3L)).encode();
    assertTrue(
        new String(header, StandardCharsets.ISO_8859_1)
            .contains("{'descr': '<i4', 'fortran_order': False, 'shape': (3,), }"));
  }

  @Test
  void shouldRefuseToCloseAnIncompleteFile() throws IOException {
    NpyWriter writer = new NpyWriter(folder.resolve("b.npy"), NpyType.INT32, 2);
    writer.write(new int[] {1});
    IOException error = assertThrows(IOException.class, writer::close);
    assertTrue(error.getMessage().endsWith("wrote 4 bytes of data, the shape needs 8"));
    writer.close();
  }

  @Test
  void shouldRefuseIndicesOutsideTheShape() throws IOException {
    Path file = folder.resolve("c.npy");
    NpyWriter.write(file, new int[6], 2, 3);
    NpyArray array = NpyReader.read(file);
    assertThrows(IndexOutOfBoundsException.class, () -> array.longAt(2, 0));
    assertThrows(IndexOutOfBoundsException.class, () -> array.longAt(0, -1));
    assertThrows(IndexOutOfBoundsException.class, () -> array.longAt(5));
  }
}
