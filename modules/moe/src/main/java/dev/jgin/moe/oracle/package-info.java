// SPDX-License-Identifier: Apache-2.0
/**
 * What dispatch and combine must deliver, computed the plain way: a dense all-to-all that looks at
 * every lane of every token, in scalar Java.
 *
 * <p>It exists to disagree with the engines. So it shares none of their code: not the plan, not the
 * layout, not the row kernels, and its number formats are written from the formats' definitions
 * ({@code SmallFloat}). It may read {@code Routing} and the names of the element types, and nothing
 * else of this module. It is not fast and not meant for the data path.
 *
 * <p>Start with {@link dev.jgin.moe.oracle.DenseDispatch} and {@link
 * dev.jgin.moe.oracle.DenseCombine}; {@link dev.jgin.moe.oracle.Verifier} compares an engine with
 * them. {@link dev.jgin.moe.oracle.TokenPayload} and {@link dev.jgin.moe.oracle.ExpertFunction} are
 * the inputs and the stand-in experts of such a comparison.
 */
package dev.jgin.moe.oracle;
