// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gpu;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What is open in a context, and in debug mode where it was made. Debug mode is the system property
 * {@code jgin.gpu.leaks=true}; it costs a stack trace for each object. Thread-safe.
 */
final class Ledger {
  private final boolean debug;
  // Owned has no equality of its own: one entry for each object.
  private final Map<Owned, Throwable> open = new HashMap<>();

  Ledger() {
    this(Boolean.getBoolean("jgin.gpu.leaks"));
  }

  /** One in debug mode or not, whatever the property says. */
  Ledger(boolean debug) {
    this.debug = debug;
  }

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
      left.add(owned + (made == null ? "" : at(made)) + close(owned));
    });
    return left.isEmpty()
        ? ""
        : left.size()
            + " left open: "
            + left.stream().sorted().limit(20).collect(Collectors.joining("; "))
            + (debug ? "" : "; -Djgin.gpu.leaks=true tells where each was made");
  }

  /**
   * One that cannot be closed, in a context that a kernel broke for one, must not keep the rest.
   */
  private static String close(Owned owned) {
    try {
      owned.close();
      return "";
    } catch (RuntimeException e) {
      return " (and not to be closed: " + e.getMessage() + ")";
    }
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
