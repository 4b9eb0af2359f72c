// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.npy;

import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the dictionary in an {@code .npy} header: a Python literal with the keys {@code descr},
 * {@code fortran_order} and {@code shape}, and nothing else. This is a parser for that literal and
 * not for Python.
 */
final class NpyHeaderParser {
  /** NumPy itself stops at 64 dimensions (32 before version 2). */
  private static final int MAX_DIMENSIONS = 64;

  private final String source;
  private final String text;
  private int at;

  private NpyHeaderParser(String source, String text) {
    this.source = source;
    this.text = text;
  }

  static NpyHeader parse(String source, String text) throws NpyFormatException {
    return new NpyHeaderParser(source, text).dictionary();
  }

  private NpyHeader dictionary() throws NpyFormatException {
    String descr = null;
    Boolean fortranOrder = null;
    List<Long> shape = null;
    expect('{');
    while (!accept('}')) {
      String key = string();
      expect(':');
      switch (key) {
        case "descr" -> descr = string();
        case "fortran_order" -> fortranOrder = bool();
        case "shape" -> shape = tuple();
        default -> throw bad("unknown key '" + key + "'");
      }
      if (!accept(',')) {
        expect('}');
        break;
      }
    }
    skipSpace();
    if (at != text.length()) {
      throw bad("text after the dictionary");
    }
    if (descr == null || fortranOrder == null || shape == null) {
      throw bad("it needs the keys descr, fortran_order and shape");
    }
    return new NpyHeader(type(descr), order(descr), fortranOrder, shape);
  }

  private NpyType type(String descr) throws NpyFormatException {
    return NpyType.ofCode(descr.length() == 3 ? descr.substring(1) : "")
        .orElseThrow(() ->
            new NpyFormatException(
                source,
                "element type '"
                    + descr
                    + "' is not supported: convert the array with astype to one of "
                    + NpyType.codes()));
  }

  private ByteOrder order(String descr) throws NpyFormatException {
    return switch (descr.charAt(0)) {
      case '<', '|' -> ByteOrder.LITTLE_ENDIAN;
      case '>' -> ByteOrder.BIG_ENDIAN;
      case '=' -> ByteOrder.nativeOrder();
      default -> throw bad("byte order '" + descr.charAt(0) + "' is none of < > | =");
    };
  }

  private List<Long> tuple() throws NpyFormatException {
    List<Long> extents = new ArrayList<>();
    expect('(');
    while (!accept(')')) {
      if (extents.size() == MAX_DIMENSIONS) {
        throw bad("more than " + MAX_DIMENSIONS + " dimensions");
      }
      extents.add(extent());
      if (!accept(',')) {
        expect(')');
        break;
      }
    }
    return extents;
  }

  private long extent() throws NpyFormatException {
    skipSpace();
    int from = at;
    while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
      at++;
    }
    String digits = text.substring(from, at);
    // Python 2 wrote long integers with a suffix.
    accept('L');
    if (digits.isEmpty() || digits.length() > 18) {
      throw bad("an extent of the shape is not a number of 1 to 18 digits");
    }
    return Long.parseLong(digits);
  }

  private boolean bool() throws NpyFormatException {
    skipSpace();
    for (String word : List.of("True", "False")) {
      if (text.startsWith(word, at)) {
        at += word.length();
        return word.equals("True");
      }
    }
    throw bad("fortran_order is neither True nor False");
  }

  private String string() throws NpyFormatException {
    skipSpace();
    char quote = at < text.length() ? text.charAt(at) : ' ';
    if (quote != '\'' && quote != '"') {
      // Structured arrays have a list here.
      throw bad("a string was expected at column " + at + "; structured arrays are not supported");
    }
    int end = text.indexOf(quote, at + 1);
    if (end < 0) {
      throw bad("a string has no end");
    }
    String value = text.substring(at + 1, end);
    at = end + 1;
    return value;
  }

  private void expect(char wanted) throws NpyFormatException {
    if (!accept(wanted)) {
      throw bad("'" + wanted + "' was expected at column " + at);
    }
  }

  private boolean accept(char wanted) {
    skipSpace();
    if (at < text.length() && text.charAt(at) == wanted) {
      at++;
      return true;
    }
    return false;
  }

  private void skipSpace() {
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
      at++;
    }
  }

  private NpyFormatException bad(String problem) {
    String shown = text.length() <= 120 ? text : text.substring(0, 120) + "...";
    return new NpyFormatException(
        source, "bad header dictionary " + shown.strip() + ": " + problem);
  }
}
