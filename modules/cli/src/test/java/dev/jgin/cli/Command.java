// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;

/** What a command printed and how it ended. */
public record Command(int code, String out, String err) {
  /** Runs {@code jgin} in this process; {@code line} is split at blanks. */
  public static Command jgin(String line) {
    return jgin(List.of(line.strip().split(" +", -1)));
  }

  /** Runs {@code jgin} in this process; words may have blanks in them. */
  public static Command jgin(List<String> words) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code = Main.run(new PrintWriter(out), new PrintWriter(err), words.toArray(String[]::new));
    return new Command(code, out.toString(), err.toString());
  }

  /** A small {@code jgin moe} with {@code line} behind it. */
  public static Command moe(String line) {
    String small = "--ranks 3 --tokens-per-rank 4 --iterations 2 --warmup 0 --hidden 64";
    // An option may be given once only: those of the line take the place of the small ones.
    StringBuilder rest = new StringBuilder("moe");
    String[] words = small.split(" ", -1);
    for (int i = 0; i < words.length; i += 2) {
      if (!(" " + line + " ").contains(" " + words[i] + " ")) {
        rest.append(' ').append(words[i]).append(' ').append(words[i + 1]);
      }
    }
    return jgin(rest + " " + line);
  }
}
