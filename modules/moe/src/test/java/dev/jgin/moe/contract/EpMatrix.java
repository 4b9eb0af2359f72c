// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.contract;

import dev.jgin.moe.CombineMode;
import dev.jgin.moe.ExpertLayout;
import dev.jgin.moe.numeric.DType;
import dev.jgin.moe.numeric.ScaleFormat;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Cases in which every value of every setting meets every value of every other one. */
public final class EpMatrix {
  private record Types(DType dtype, ScaleFormat scales, DType combine) {}

  private record Form(ExpertLayout layout, CombineMode combine, int alignment) {}

  private record Experts(int count, int topK) {}

  private static final List<Types> TYPES =
      List.of(
          new Types(DType.BF16, ScaleFormat.NONE, DType.BF16),
          new Types(DType.FP16, ScaleFormat.NONE, DType.FP16),
          new Types(DType.FP32, ScaleFormat.NONE, DType.FP32),
          new Types(DType.BF16, ScaleFormat.NONE, DType.FP32),
          new Types(DType.FP8_E4M3, ScaleFormat.NONE, DType.BF16),
          new Types(DType.FP8_E4M3, ScaleFormat.FP32, DType.BF16),
          new Types(DType.FP8_E4M3, ScaleFormat.UE8M0, DType.FP16));

  private static final List<Form> FORMS =
      List.of(
          new Form(ExpertLayout.EXPANDED, CombineMode.CANONICAL, 1),
          new Form(ExpertLayout.EXPANDED, CombineMode.CANONICAL, 8),
          new Form(ExpertLayout.EXPANDED, CombineMode.CANONICAL, 128),
          new Form(ExpertLayout.EXPANDED, CombineMode.REDUCED, 1),
          new Form(ExpertLayout.EXPANDED, CombineMode.REDUCED, 8),
          new Form(ExpertLayout.EXPANDED, CombineMode.REDUCED, 128),
          new Form(ExpertLayout.ONE_ROW_PER_TOKEN, CombineMode.REDUCED, 1));

  private static final List<Experts> EXPERTS =
      List.of(new Experts(5, 3), new Experts(16, 4), new Experts(20, 16));

  private static final List<BatchKind> KINDS = List.of(BatchKind.values());
  private static final int[] CONTEXTS = {1, 3, 4};
  private static final int[] RANKS = {1, 2, 3, 8};
  private static final int[] STREAMS = {1, 2};
  private static final int[] EPOCHS_OF_A_ROUTING = {1, 3};

  /** A row of 272 elements: three scale blocks, the last of them short. */
  private static final int HIDDEN = 272;

  private static final int TOKENS = 5;
  private static final int EPOCHS = 4;
  private static final int MOST_COMBINES = 2;

  private EpMatrix() {}

  /** The cases on these carriers; system property {@code jgin.seed} draws others. */
  public static Stream<EpCase> cases(List<Carrier> carriers) {
    return cases(carriers, Long.getLong("jgin.seed", 1L));
  }

  /** The cases of twenty other seeds. */
  public static Stream<EpCase> moreCases(List<Carrier> carriers) {
    return LongStream.rangeClosed(2, 21).boxed().flatMap(seed -> cases(carriers, seed));
  }

  private static Stream<EpCase> cases(List<Carrier> carriers, long seed) {
    List<int[]> rows =
        AllPairs.table(
            seed,
            carriers.size(),
            TYPES.size(),
            FORMS.size(),
            EXPERTS.size(),
            KINDS.size(),
            CONTEXTS.length,
            RANKS.length,
            STREAMS.length,
            EPOCHS_OF_A_ROUTING.length,
            2,
            MOST_COMBINES + 1);
    return rows.stream().map(row -> build(row, carriers, seed));
  }

  private static EpCase build(int[] row, List<Carrier> carriers, long seed) {
    Types types = TYPES.get(row[1]);
    Form form = FORMS.get(row[2]);
    Experts experts = EXPERTS.get(row[3]);
    return CaseBuilder.on(carriers.get(row[0]))
        .seed(BatchKind.mix(seed, Arrays.hashCode(row)))
        .world(RANKS[row[6]], CONTEXTS[row[5]])
        .experts(experts.count, experts.topK)
        .hidden(HIDDEN)
        .tokens(KINDS.get(row[4]), TOKENS)
        .epochs(EPOCHS, EPOCHS_OF_A_ROUTING[row[8]])
        .combines(row[10])
        .engine(config ->
            config
                .dtype(types.dtype)
                .scales(types.scales)
                .combineDtype(types.combine)
                .layout(form.layout)
                .combine(form.combine)
                .expertAlignment(form.alignment)
                .streams(STREAMS[row[7]])
                .audit(row[9] == 1))
        .build();
  }
}
