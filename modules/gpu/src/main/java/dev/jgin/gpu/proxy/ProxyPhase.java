// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gpu.proxy;

/** Where a stream is in its operation. Each phase but the first and the last has a deadline. */
public enum ProxyPhase {
  /** No descriptor has come since the last operation. It may stay so for as long as it likes. */
  IDLE,
  /** Descriptors come; not every ring has brought its ARRIVE. */
  GATHERING,
  /** All rings have arrived, and the barrier posts its signals. */
  ARRIVING,
  /** The barrier waits for the other ranks. */
  WAITING,
  /** The barrier is passed; own puts are not all complete. */
  DRAINING,
  /** It has failed, and takes nothing any more. */
  FAILED
}
