// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gpu;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What is open in a context, and in debug mode where it was made. Debug mode is the system property
 * {@value #DEBUG}; it costs a stack trace for each object. Thread-safe.
 */
final class Ledger {
  /** System property: {@code true} remembers where each object was made. */
  static final String DEBUG = "jgin.gpu.leaks";

  private final boolean debug = Boolean.getBoolean(DEBUG);
  // Owned has no equality of its own: one entry for each object.
  private final Map<Owned, Throwable> open = new HashMap<>();

  synchronized void enter(Owned owned) {
    open.put(owned, debug ? new Throwable("made here") : null);
  }

  synchronized void leave(Owned owned) {
    open.remove(owned);
  }

  /** Closes what is left, in no order, and says what it was; empty if nothing was. */
  String closeRest() {
    Map<Owned, Throwable> rest;
    synchronized (this) {
      rest = new HashMap<>(open);
    }
    List<String> left = new ArrayList<>();
    rest.forEach((owned, made) -> {
      left.add(owned + (made == null ? "" : at(made)));
      owned.close();
    });
    return left.isEmpty()
        ? ""
        : left.size()
            + " left open: "
            + left.stream().sorted().limit(20).collect(Collectors.joining("; "))
            + (debug ? "" : "; -D" + DEBUG + "=true tells where each was made");
  }

  private static String at(Throwable made) {
    for (StackTraceElement frame : made.getStackTrace()) {
      if (!frame.getClassName().startsWith("dev.jgin.gpu.")) {
        return " made at " + frame;
      }
    }
    return "";
  }
}
