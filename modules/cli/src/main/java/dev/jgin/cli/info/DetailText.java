// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.info;

import dev.jgin.gin.spi.Detail;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/** Facts as lines of key and value; rows of plain facts with the same keys become a table. */
final class DetailText {

  private final PrintWriter out;

  DetailText(PrintWriter out) {
    this.out = out;
  }

  void print(List<Detail> details, int indent) {
    int width = details.stream().mapToInt(detail -> detail.key().length()).max().orElse(0);
    for (Detail detail : details) {
      if (detail.value() instanceof Detail.Rows rows) {
        line(indent, detail.key() + (rows.rows().isEmpty() ? "  none" : ""));
        rows(rows.rows(), indent + 2);
      } else {
        line(indent, pad(detail.key(), width) + "  " + word(detail.value()));
      }
    }
  }

  private void rows(List<List<Detail>> rows, int indent) {
    if (!rows.isEmpty() && isTable(rows)) {
      table(rows, indent);
    } else {
      rows.forEach(row -> print(row, indent));
    }
  }

  private static boolean isTable(List<List<Detail>> rows) {
    return rows.stream()
        .allMatch(row ->
            keys(row).equals(keys(rows.getFirst()))
                && row.stream().noneMatch(detail -> detail.value() instanceof Detail.Rows));
  }

  private void table(List<List<Detail>> rows, int indent) {
    List<List<String>> lines = new ArrayList<>();
    lines.add(keys(rows.getFirst()));
    rows.forEach(row -> lines.add(row.stream().map(detail -> word(detail.value())).toList()));
    for (List<String> words : lines) {
      StringBuilder text = new StringBuilder();
      for (int column = 0; column < words.size(); column++) {
        int at = column;
        int width = lines.stream().mapToInt(line -> line.get(at).length()).max().orElse(0);
        text.append(pad(words.get(column), width)).append("  ");
      }
      line(indent, text.toString());
    }
  }

  private static List<String> keys(List<Detail> row) {
    return row.stream().map(Detail::key).toList();
  }

  private static String word(Detail.Value value) {
    return switch (value) {
      case Detail.Text text -> text.text();
      case Detail.Count count ->
          count.number() == Long.MAX_VALUE ? "no limit" : Long.toString(count.number());
      case Detail.Unknown _ -> "unknown";
      case Detail.Rows _ -> throw new IllegalArgumentException("rows are no word");
    };
  }

  private static String pad(String text, int width) {
    return text + " ".repeat(width - text.length());
  }

  private void line(int indent, String text) {
    out.println((" ".repeat(indent) + text).stripTrailing());
  }
}
