// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.trace;

import dev.jgin.moe.routing.Routing;

/**
 * The fields of one line that this package knows, reused from line to line. A field that is absent
 * is null or negative; a field that is present but unusable leaves its complaint in {@link
 * #problem}, which counts only once the line turns out to be a record of a kind that is read.
 */
final class LogRecord {
  String type;
  String model;
  long layer;
  long token;
  long experts;
  long topK;
  final int[] ids = new int[Routing.MAX_TOP_K];
  final float[] weights = new float[Routing.MAX_TOP_K];
  int idCount;
  int weightCount;

  /** The first complaint, or null. */
  String problem;

  void clear() {
    type = null;
    model = null;
    layer = -1;
    token = -1;
    experts = -1;
    topK = -1;
    idCount = -1;
    weightCount = -1;
    problem = null;
  }

  void complain(String complaint) {
    if (problem == null) {
      problem = complaint;
    }
  }

  /** Whether the line is a route: its type says so, or it has no type and names experts. */
  boolean isRoute() {
    return type == null
        ? idCount >= 0
        : type.equals("route") || type.equals("routing") || type.endsWith("_route");
  }

  /**
   * Whether the line describes the log: its type says so, or it is the first and about no token.
   */
  boolean isMeta(boolean first) {
    return type == null
        ? first && idCount < 0 && weightCount < 0 && token < 0
        : type.equals("meta") || type.equals("header");
  }
}
