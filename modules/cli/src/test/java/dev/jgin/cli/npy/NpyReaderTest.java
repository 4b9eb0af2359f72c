// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.npy;

import static dev.jgin.cli.npy.NpyBytes.dictionary;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NpyReaderTest {
  private static final ByteOrder LITTLE = ByteOrder.LITTLE_ENDIAN;

  @ParameterizedTest
  @CsvSource({"<, 1", "<, 2", "<, 3", ">, 1", "=, 1"})
  void shouldReadEveryVersionAndByteOrder(String mark, int version) throws IOException {
    ByteOrder order = mark.equals(">") ? ByteOrder.BIG_ENDIAN : LITTLE;
    NpyArray array =
        read(
            NpyBytes.file(
                version,
                dictionary(mark + "i4", false, "(2, 2)"),
                order,
                data -> data.putInt(1).putInt(-2).putInt(3).putInt(0x01020304)));
    assertEquals(-2, array.longAt(0, 1));
    assertEquals(0x01020304, array.longAt(1, 1));
  }

  @Test
  void shouldReadEveryType() throws IOException {
    assertEquals(-1, one("|i1", d -> d.put((byte) -1)).longAt(0));
    assertEquals(255, one("|u1", d -> d.put((byte) -1)).longAt(0));
    assertEquals(-1, one("<i2", d -> d.putShort((short) -1)).longAt(0));
    assertEquals(65_535, one("<u2", d -> d.putShort((short) -1)).longAt(0));
    assertEquals(0xFFFF_FFFFL, one("<u4", d -> d.putInt(-1)).longAt(0));
    assertEquals(Long.MIN_VALUE, one("<i8", d -> d.putLong(Long.MIN_VALUE)).longAt(0));
    assertEquals(1.5, one("<f2", d -> d.putShort((short) 0x3E00)).doubleAt(0));
    assertEquals(0.1f, one("<f4", d -> d.putFloat(0.1f)).doubleAt(0));
    assertEquals(0.1, one("<f8", d -> d.putDouble(0.1)).doubleAt(0));
    assertEquals(7.0, one("<i2", d -> d.putShort((short) 7)).doubleAt(0));
    assertThrows(ArithmeticException.class, () -> one("<f4", d -> d.putFloat(1f)).longAt(0));
  }

  @Test
  void shouldReadFortranOrder() throws IOException {
    NpyArray array =
        read(
            NpyBytes.file(
                1,
                dictionary("|u1", true, "(2, 3, 2)"),
                LITTLE,
                data -> data.put(new byte[] {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11})));
    for (int a = 0; a < 2; a++) {
      for (int b = 0; b < 3; b++) {
        for (int c = 0; c < 2; c++) {
          assertEquals(a + 2 * b + 6 * c, array.longAt(a, b, c));
        }
      }
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "<i4 ; (2, -1)                          ; not a number",
        "<i4 ; (1000000000000000000)            ; 1 to 18 digits",
        "<i4 ; (999999999999999999, 999999999999999999) ; exceeds the limit of 1073741824 bytes",
        "<i4 ; (500000000,)                     ; exceeds the limit",
        "<i4 ; 2                                ; '(' was expected",
        "<i4 ; (2                               ; 1 to 18 digits",
        "<i4 ; (2 3)                            ; ')' was expected",
        "<c8 ; (2,)                             ; element type '<c8' is not supported",
        "|O  ; (2,)                             ; element type '|O' is not supported",
        "<U4 ; (2,)                             ; element type '<U4' is not supported",
        "?i4 ; (2,)                             ; byte order '?'",
        "    ; (2,)                             ; element type '' is not supported",
      })
  void shouldRefuseHostileHeaders(String descr, String shape, String complaint) {
    String type = descr == null ? "" : descr;
    assertRefused(
        NpyBytes.file(1, dictionary(type, false, shape), LITTLE, d -> d.putLong(0)), complaint);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{",
        "{}",
        "[]",
        "{'descr': '<i4'}",
        "{'descr': '<i4', 'fortran_order': 1, 'shape': (2,)}",
        "{'descr': [('a', '<i4')], 'fortran_order': False, 'shape': (2,)}",
        "{'descr': '<i4', 'fortran_order': False, 'shape': (2,)} + 1",
        "{'descr': '<i4', 'fortran_order': False, 'shape': (2,), 'x': __import__('os')}",
        "{'descr': '<i4",
      })
  void shouldRefuseWhatIsNoHeaderDictionary(String dictionary) {
    assertRefused(NpyBytes.file(1, dictionary, LITTLE, d -> d.putLong(0)), "bad header dictionary");
  }

  @Test
  void shouldRefuseTooManyDimensions() {
    assertRefused(
        NpyBytes.file(
            1, dictionary("<i4", false, "(" + "1,".repeat(65) + ")"), LITTLE, d -> d.putInt(0)),
        "more than 64 dimensions");
  }

  @Test
  void shouldRefuseWhatIsCutShortOrTooLong() {
    byte[] file = NpyBytes.file(1, dictionary("<i4", false, "(2,)"), LITTLE, d -> d.putLong(0));
    for (int length = 0; length < file.length; length++) {
      byte[] part = Arrays.copyOf(file, length);
      NpyFormatException error = assertThrows(NpyFormatException.class, () -> read(part));
      assertTrue(error.getMessage().startsWith("test: "), error.getMessage());
    }
    assertRefused(Arrays.copyOf(file, file.length + 1), "has bytes after the 8 bytes");
  }

  @Test
  void shouldRefuseOtherFilesAndVersions() {
    assertRefused(new byte[64], "does not begin with \\x93NUMPY");
    assertRefused(
        NpyBytes.file(9, dictionary("<i4", false, "(2,)"), LITTLE, d -> d.putLong(0)),
        "format version 9");
    ByteBuffer huge = ByteBuffer.allocate(64).order(LITTLE);
    huge.put(new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 2, 0}).putInt(0x7FFF_FFFF);
    assertRefused(huge.array(), "claims a header of 2147483647 bytes");
  }

  private static NpyArray one(String descr, Consumer<ByteBuffer> data) throws IOException {
    return read(NpyBytes.file(1, dictionary(descr, false, "(1,)"), LITTLE, data));
  }

  private static NpyArray read(byte[] file) throws IOException {
    return NpyReader.read(new ByteArrayInputStream(file), "test");
  }

  private static void assertRefused(byte[] file, String complaint) {
    NpyFormatException error = assertThrows(NpyFormatException.class, () -> read(file));
    assertTrue(error.getMessage().contains(complaint), error.getMessage());
  }
}
