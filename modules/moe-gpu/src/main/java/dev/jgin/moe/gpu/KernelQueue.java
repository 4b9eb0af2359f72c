// SPDX-License-Identifier: Apache-2.0
package dev.jgin.moe.gpu;

/**
 * One rank's queue of kernels for one stream, as {@link StreamSequence} orders them. Operations are
 * {@code JGIN_OP_…}. Nothing here waits on the CPU.
 */
interface KernelQueue {
  /** Enqueues the kernel that sends, and an event behind it. */
  void send(int operation, long epoch);

  /** Lets what is enqueued from here on wait for the send kernel of {@code other}. */
  void await(KernelQueue other, int operation, long epoch);

  /** Enqueues the kernel that waits and receives, and an event behind it. */
  void receive(int operation);

  /** Whether all that {@link #receive} enqueued is done. */
  boolean isDone();
}
