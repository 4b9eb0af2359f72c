// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.oracle;

import dev.jgin.moe.numeric.DType;
import dev.jgin.moe.routing.Routing;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * What every rank holds after a combine: for each of its tokens the weighted sum of its experts'
 * outputs. No row moves here: a token's experts are applied where the token is.
 *
 * <p>{@code y} is an expert's output rounded to the combine type. Every product and every sum is
 * rounded to FP32, sums start at 0 and run over lanes in ascending order, masked ones left out. One
 * thread at a time.
 */
public final class DenseCombine {
  private final OracleShape shape;
  private final float[] x;
  private final float[] partial;
  private final float[] sum;

  /** A combine with the outputs of {@link ExpertFunction}. */
  public DenseCombine(OracleShape shape) {
    this.shape = shape;
    this.x = new float[shape.hidden()];
    this.partial = new float[shape.hidden()];
    this.sum = new float[shape.hidden()];
  }

  /**
   * {@code sum over lanes of weight * y}, rounded once to the combine type. It does not depend on
   * where experts live, so it has the same bits at every number of ranks.
   *
   * @param out receives {@code shape.combineRowBytes()} bytes at {@code offset}
   */
  public void canonical(RankInput input, int token, MemorySegment out, long offset) {
    Routing routing = input.routing();
    load(input, token);
    Arrays.fill(sum, 0f);
    for (int lane = 0; lane < routing.topK(); lane++) {
      if (routing.id(token, lane) != Routing.MASKED) {
        addExpert(routing.id(token, lane), routing.weight(token, lane), sum);
      }
    }
    store(out, offset);
  }

  /**
   * Each rank's lanes are summed as in {@link #canonical} and rounded to the combine type; these
   * partial sums are added in order of their first lanes and rounded again.
   *
   * @param out receives {@code shape.combineRowBytes()} bytes at {@code offset}
   */
  public void reduced(RankInput input, int token, MemorySegment out, long offset) {
    Routing routing = input.routing();
    load(input, token);
    Arrays.fill(sum, 0f);
    boolean[] done = new boolean[shape.ranks()];
    for (int lane = 0; lane < routing.topK(); lane++) {
      if (routing.id(token, lane) == Routing.MASKED) {
        continue;
      }
      int rank = shape.owner(routing.id(token, lane));
      if (done[rank]) {
        continue;
      }
      done[rank] = true;
      Arrays.fill(partial, 0f);
      for (int other = lane; other < routing.topK(); other++) {
        if (shape.isOn(rank, routing.id(token, other))) {
          addExpert(routing.id(token, other), routing.weight(token, other), partial);
        }
      }
      for (int i = 0; i < sum.length; i++) {
        sum[i] = sum[i] + Scalars.round(shape.combineDtype(), partial[i]);
      }
    }
    store(out, offset);
  }

  private void addExpert(int expert, float weight, float[] into) {
    DType dtype = shape.combineDtype();
    for (int i = 0; i < into.length; i++) {
      float y = Scalars.round(dtype, ExpertFunction.at(expert, i, x[i]));
      float product = weight * y;
      into[i] = into[i] + product;
    }
  }

  private void load(RankInput input, int token) {
    ExpertFunction experts = new ExpertFunction(shape);
    for (int i = 0; i < x.length; i++) {
      x[i] =
          experts.element(
              input.tokens(),
              token * shape.rowBytes(),
              input.scales(),
              token * shape.scaleBytes(),
              i);
    }
  }

  private void store(MemorySegment out, long offset) {
    for (int i = 0; i < sum.length; i++) {
      Scalars.write(shape.combineDtype(), out, offset + i * shape.combineDtype().bytes(), sum[i]);
    }
  }
}
