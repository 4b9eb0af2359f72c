// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gpu;

/**
 * One handle of the driver, owned by the object that extends this. Closing twice is harmless; using
 * it afterwards is an error that says so. Closing is thread-safe, use is not.
 */
public abstract class Owned implements AutoCloseable {
  private final Ledger ledger;
  private final String what;
  private boolean open = true;

  /** Enters the object in the ledger of its owner. */
  Owned(Ledger ledger, String what) {
    this.ledger = ledger;
    this.what = what;
    ledger.enter(this);
  }

  /** What it is, for messages: {@code device memory "rows", 4096 bytes}. */
  @Override
  public final String toString() {
    return what;
  }

  /** Whether it has not been closed. */
  public final boolean isOpen() {
    return open;
  }

  /**
   * Returns if it is open.
   *
   * @throws IllegalStateException if it is closed
   */
  final void requireOpen() {
    if (!open) {
      throw new IllegalStateException(what + " is closed");
    }
  }

  @Override
  public final void close() {
    synchronized (this) {
      if (!open) {
        return;
      }
      open = false;
    }
    ledger.leave(this);
    release();
  }

  /**
   * Gives the handle back. Called once.
   *
   * @throws CudaException if the driver does not take it
   */
  abstract void release();
}
