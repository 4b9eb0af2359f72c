// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.oracle;

import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * What every rank holds after a dispatch of {@code inputs}. Immutable as long as the inputs are;
 * safe to share between threads.
 */
public final class DenseDispatch {
  private final OracleShape shape;
  private final List<RankInput> inputs;

  /**
   * The dispatch of these inputs, one for each rank.
   *
   * @throws IllegalArgumentException if there are not {@code shape.ranks()} inputs
   */
  public DenseDispatch(OracleShape shape, List<RankInput> inputs) {
    if (inputs.size() != shape.ranks()) {
      throw new IllegalArgumentException(
          inputs.size() + " inputs for " + shape.ranks() + " ranks: need one for each");
    }
    this.shape = shape;
    this.inputs = List.copyOf(inputs);
  }

  /** The shape. */
  public OracleShape shape() {
    return shape;
  }

  /** The input of one rank. */
  public RankInput input(int rank) {
    return inputs.get(rank);
  }

  /** The rows of {@code rank} in expert-major order. */
  public ExpectedRows expertMajor(int rank) {
    return ExpectedRows.expertMajor(shape, inputs, rank);
  }

  /** The rows of {@code rank}, one for each token that names any of its experts. */
  public ExpectedRows perToken(int rank) {
    return ExpectedRows.perToken(shape, inputs, rank);
  }

  /** The payload of the token that {@code origin} names: {@code shape.rowBytes()} bytes. */
  public MemorySegment payload(ExpectedRows.Origin origin) {
    return inputs
        .get(origin.source())
        .tokens()
        .asSlice(origin.token() * shape.rowBytes(), shape.rowBytes());
  }

  /** The scales of the token that {@code origin} names: {@code shape.scaleBytes()} bytes. */
  public MemorySegment scales(ExpectedRows.Origin origin) {
    return inputs
        .get(origin.source())
        .scales()
        .asSlice(origin.token() * shape.scaleBytes(), shape.scaleBytes());
  }
}
