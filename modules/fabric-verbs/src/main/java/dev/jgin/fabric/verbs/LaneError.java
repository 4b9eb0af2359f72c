// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.verbs;

import dev.jgin.gin.spi.LaneStatus;

/**
 * The first failure of a lane in its present generation, with what the error word leaves out.
 *
 * @param status what the error word says
 * @param code {@code IBV_WC_RETRY_EXC_ERR} and the like, {@code errno 12} where posting failed, the
 *     event's name where the device reported it, {@code fence} where it was fenced
 * @param vendorError the provider's own code; 0 where there is none
 * @param ticket the operation that failed; −1 where none is to blame
 */
public record LaneError(LaneStatus status, String code, int vendorError, long ticket) {

  /** Everything but the status, for messages. */
  public String detail() {
    return code
        + ", vendor code 0x"
        + Integer.toHexString(vendorError)
        + (ticket < 0 ? "" : ", operation " + ticket);
  }

  @Override
  public String toString() {
    return status + " (" + detail() + ")";
  }
}
