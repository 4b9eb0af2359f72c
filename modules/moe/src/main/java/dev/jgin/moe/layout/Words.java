// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.layout;

import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** The scalar layouts of headers: little-endian, without demands on alignment. */
public final class Words {
  /** 8 bytes. */
  public static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  /** 4 bytes. */
  public static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  /** 4 bytes, IEEE 754 binary32. */
  public static final ValueLayout.OfFloat FLOAT =
      ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private Words() {}
}
