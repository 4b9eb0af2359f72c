// SPDX-License-Identifier: Apache-2.0
package dev.jgin.bindings.layout;

import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.PaddingLayout;
import java.lang.foreign.UnionLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * Where a type or one of its fields lies.
 *
 * @param path the field as C names it, e.g. {@code wr.rdma.rkey}; empty for the type as a whole
 * @param offset bytes from the start of the type
 * @param size bytes
 * @param alignment bytes
 */
record Field(String type, String path, long offset, long size, long alignment) {
  /** jextract names an unnamed member by the line that declares it. */
  private static final String UNNAMED = "$anon$";

  /** The type and all its fields as Java lays them out, the fields of nested types included. */
  static List<Field> of(String type, GroupLayout layout) {
    List<Field> fields = new ArrayList<>();
    fields.add(new Field(type, "", 0, layout.byteSize(), layout.byteAlignment()));
    addMembers(fields, type, "", 0, layout);
    return fields;
  }

  private static void addMembers(
      List<Field> fields, String type, String prefix, long start, GroupLayout group) {
    long offset = start;
    for (MemoryLayout member : group.memberLayouts()) {
      if (!(member instanceof PaddingLayout)) {
        String name = member.name().orElseThrow();
        String path = name.startsWith(UNNAMED) ? prefix : prefix + name + ".";
        if (!name.startsWith(UNNAMED)) {
          fields.add(
              new Field(type, prefix + name, offset, member.byteSize(), member.byteAlignment()));
        }
        if (member instanceof GroupLayout nested) {
          addMembers(fields, type, path, offset, nested);
        }
      }
      if (!(group instanceof UnionLayout)) {
        offset += member.byteSize();
      }
    }
  }

  /** The C statement that prints this field as the compiler lays it out. */
  String probe() {
    return path.isEmpty()
        ? "TYPE(\"%s\", %s)".formatted(type, type)
        : "FIELD(\"%s\", \"%s\", %s, %s)".formatted(type, path, type, path);
  }

  /** Reads a line that {@link #probe} printed. */
  static Field parse(String line) {
    String[] words = line.split("\\|", -1);
    return new Field(
        words[0],
        words[1],
        Long.parseLong(words[2]),
        Long.parseLong(words[3]),
        Long.parseLong(words[4]));
  }
}
