// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.verbs.device;

import dev.jgin.gin.spi.LaneStatus;

/** {@code enum ibv_wc_status} and what each means for a lane. */
public enum WcStatus {
  SUCCESS(0, LaneStatus.OK),
  LOC_LEN_ERR(1, LaneStatus.LOCAL_ACCESS),
  /** Also what a soft-RoCE device says when its own network interface is down. */
  LOC_QP_OP_ERR(2, LaneStatus.LOCAL_DEVICE),
  LOC_EEC_OP_ERR(3, LaneStatus.LOCAL_DEVICE),
  LOC_PROT_ERR(4, LaneStatus.LOCAL_ACCESS),
  WR_FLUSH_ERR(5, LaneStatus.FLUSHED),
  MW_BIND_ERR(6, LaneStatus.LOCAL_ACCESS),
  BAD_RESP_ERR(7, LaneStatus.CARRIER_CONTRACT),
  LOC_ACCESS_ERR(8, LaneStatus.LOCAL_ACCESS),
  REM_INV_REQ_ERR(9, LaneStatus.REMOTE_ACCESS),
  REM_ACCESS_ERR(10, LaneStatus.REMOTE_ACCESS),
  REM_OP_ERR(11, LaneStatus.REMOTE_ACCESS),
  RETRY_EXC_ERR(12, LaneStatus.RETRY_EXCEEDED),
  RNR_RETRY_EXC_ERR(13, LaneStatus.RETRY_EXCEEDED),
  LOC_RDD_VIOL_ERR(14, LaneStatus.LOCAL_DEVICE),
  REM_INV_RD_REQ_ERR(15, LaneStatus.REMOTE_ACCESS),
  REM_ABORT_ERR(16, LaneStatus.RETRY_EXCEEDED),
  INV_EECN_ERR(17, LaneStatus.LOCAL_DEVICE),
  INV_EEC_STATE_ERR(18, LaneStatus.LOCAL_DEVICE),
  FATAL_ERR(19, LaneStatus.LOCAL_DEVICE),
  RESP_TIMEOUT_ERR(20, LaneStatus.RETRY_EXCEEDED),
  GENERAL_ERR(21, LaneStatus.LOCAL_DEVICE);

  private static final WcStatus[] ALL = values();

  private final int code;
  private final LaneStatus lane;

  WcStatus(int code, LaneStatus lane) {
    this.code = code;
    this.lane = lane;
  }

  /** The number in the header. */
  public int code() {
    return code;
  }

  /** The error word that a lane gets when this is its first failure. */
  public LaneStatus lane() {
    return lane;
  }

  /** The name in the header. */
  public String header() {
    return "IBV_WC_" + name();
  }

  /** Decodes; a code newer than this list is {@link #GENERAL_ERR}. */
  public static WcStatus of(int code) {
    // Constants stand in the order of their codes.
    return code >= 0 && code < ALL.length ? ALL[code] : GENERAL_ERR;
  }
}
