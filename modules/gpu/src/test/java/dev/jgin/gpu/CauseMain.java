// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gpu;

/** Says in a process of its own why there is no GPU; one process looks once. */
final class CauseMain {
  private CauseMain() {}

  /** Prints the cause, or "available". */
  public static void main(String[] args) {
    System.out.println(Gpu.unavailabilityCause().orElse("available"));
    if (!Gpu.isAvailable()) {
      try {
        Gpu.devices();
        throw new AssertionError("devices of a machine without one");
      } catch (IllegalStateException e) {
        System.out.println(e.getMessage());
      }
    }
  }
}
