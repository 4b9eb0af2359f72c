// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gin.barrier;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Breadth-first search over every schedule of a {@link BarrierModel}, states told apart by a
 * 128-bit hash. The first violation found is therefore a shortest one.
 */
final class Explorer {

  /**
   * What the search found.
   *
   * @param states distinct states
   * @param counterexample steps to the shortest violation, the violation last
   */
  record Result(long states, Optional<List<String>> counterexample) {}

  private record Hash(long a, long b) {}

  private record Trace(String step, Trace before) {}

  private record Node(BarrierModel model, Trace trace) {}

  private final Set<Hash> seen = new HashSet<>();
  private final Deque<Node> frontier = new ArrayDeque<>();

  static Result explore(BarrierModel initial) {
    return new Explorer().search(initial);
  }

  private Result search(BarrierModel initial) {
    visit(new Node(initial, null));
    while (!frontier.isEmpty()) {
      Node node = frontier.poll();
      List<Node> next = new ArrayList<>();
      try {
        node.model.successors(
            new BarrierModel.Sink() {
              @Override
              public void step(String label, Consumer<BarrierModel> effect) {
                BarrierModel copy = node.model.copy();
                Trace trace = new Trace(label, node.trace);
                try {
                  effect.accept(copy);
                } catch (BarrierModel.Violation e) {
                  throw new Found(new Trace(e.getMessage(), trace), e);
                }
                next.add(new Node(copy, trace));
              }
            });
      } catch (Found e) {
        return new Result(seen.size(), Optional.of(steps(e.trace)));
      }
      if (next.isEmpty() && !node.model.finished()) {
        return new Result(
            seen.size(), Optional.of(steps(new Trace("deadlock: nothing can move", node.trace))));
      }
      next.forEach(this::visit);
    }
    return new Result(seen.size(), Optional.empty());
  }

  private void visit(Node node) {
    if (seen.add(hash(node.model.key()))) {
      frontier.add(node);
    }
  }

  private static Hash hash(long[] key) {
    long a = 0x9E3779B97F4A7C15L;
    long b = 0xC2B2AE3D27D4EB4FL;
    for (long word : key) {
      a = Long.rotateLeft(a ^ word, 27) * 0x9FB21C651E98DF25L;
      b = Long.rotateLeft(b + word, 31) * 0xD6E8FEB86659FD93L ^ a;
    }
    return new Hash(a, b);
  }

  private static List<String> steps(Trace trace) {
    List<String> steps = new ArrayList<>();
    for (Trace at = trace; at != null; at = at.before) {
      steps.addFirst(at.step);
    }
    return steps;
  }

  private static final class Found extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final transient Trace trace;

    Found(Trace trace, Throwable cause) {
      super(cause);
      this.trace = trace;
    }
  }
}
