// SPDX-License-Identifier: Apache-2.0
package dev.jgin.bindings.layout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.IOException;
import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Every field of every bound type lies where the C compiler of this machine puts it: offset, size
 * and alignment. A layout that is wrong by one field reads another field's bytes and says nothing.
 *
 * <p>Needs a compiler and the headers. Without them the test says which header it could not check,
 * and fails where {@code CI} is {@code true}.
 */
class LayoutTest {
  private static final ValueLayout.OfByte CHAR = ValueLayout.JAVA_BYTE;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;

  @TempDir Path work;

  @ParameterizedTest
  @EnumSource(Header.class)
  void shouldLayOutEveryFieldAsTheCompilerDoes(Header header) throws Exception {
    need(header);
    List<Field> expected = new ArrayList<>();
    Map<String, GroupLayout> types = header.types();
    assertFalse(types.isEmpty(), header + " binds no type");
    types.forEach((type, layout) -> expected.addAll(Field.of(type, layout)));
    List<Field> actual = Compiler.layOut(header.file(), header.folder(), expected, work);
    assertEquals("", differences(actual, expected), header.file() + " " + header.version());
    System.out.printf(
        "layouts of %s %s (bound from %s): %d types and %d fields as %s has them%n",
        header.file(),
        header.version(),
        header.boundVersion(),
        types.size(),
        expected.size() - types.size(),
        Compiler.version());
  }

  /** Positive control: each way of being wrong shows. */
  @Test
  void shouldNoticeAWrongOffsetSizeOrAlignment() throws IOException {
    if (Compiler.version().isEmpty()) {
      unchecked("the positive control", "no C compiler; install gcc");
    }
    Files.writeString(work.resolve("control.h"), "struct control { char a[8]; long b; char c; };");
    GroupLayout right = control(8, LONG.withName("b"), CHAR.withName("c"), padding(7));
    List<GroupLayout> wrong =
        List.of(
            control(8, CHAR.withName("c"), padding(7), LONG.withName("b")),
            control(1, padding(7), LONG.withName("b"), CHAR.withName("c"), padding(7)),
            control(8, LONG.withByteAlignment(4).withName("b"), CHAR.withName("c"), padding(7)),
            control(8, LONG.withName("b"), CHAR.withName("c"), padding(15)));
    assertEquals(compiled(right), Field.of("struct control", right));
    for (GroupLayout layout : wrong) {
      assertNotEquals(compiled(layout), Field.of("struct control", layout), layout.toString());
    }
  }

  private List<Field> compiled(GroupLayout layout) throws IOException {
    List<Field> fields = Field.of("struct control", layout);
    return Compiler.layOut("control.h", work.toString(), fields, work);
  }

  private static GroupLayout control(long bytesOfA, MemoryLayout... rest) {
    List<MemoryLayout> members = new ArrayList<>();
    members.add(MemoryLayout.sequenceLayout(bytesOfA, CHAR).withName("a"));
    members.addAll(List.of(rest));
    return MemoryLayout.structLayout(members.toArray(MemoryLayout[]::new));
  }

  private static MemoryLayout padding(long bytes) {
    return MemoryLayout.paddingLayout(bytes);
  }

  private void need(Header header) throws IOException {
    if (Compiler.version().isEmpty()) {
      unchecked(header.file(), "no C compiler; install gcc");
    }
    if (!Compiler.finds(header.file(), header.folder(), work)) {
      unchecked(header.file(), "no such header; install " + header.remedy());
    }
  }

  /** Fails in CI; elsewhere says it loudly and leaves the test. */
  private static void unchecked(String what, String why) {
    String message = "LAYOUTS NOT CHECKED: " + what + ": " + why;
    if ("true".equals(System.getenv("CI"))) {
      fail(message);
    }
    System.err.println("!! " + message);
    Assumptions.abort(message);
  }

  private static String differences(List<Field> compiled, List<Field> generated) {
    assertEquals(generated.size(), compiled.size(), "lines printed by the C program");
    StringBuilder differences = new StringBuilder();
    for (int i = 0; i < generated.size(); i++) {
      if (!generated.get(i).equals(compiled.get(i))) {
        differences.append("%nC    %s%nJava %s".formatted(compiled.get(i), generated.get(i)));
      }
    }
    return differences.toString();
  }
}
