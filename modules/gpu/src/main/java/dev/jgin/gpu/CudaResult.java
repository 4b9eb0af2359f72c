// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gpu;

import jcuda.driver.CUresult;

/** Names and remedies of {@code CUresult}s, and the check of a call. */
final class CudaResult {
  static final int SUCCESS = 0;
  static final int NOT_READY = 600;

  private CudaResult() {}

  /**
   * Returns if the call succeeded.
   *
   * @throws CudaException otherwise
   */
  static void check(int result, String call) {
    if (result != SUCCESS) {
      throw new CudaException(call, result);
    }
  }

  /** The same for a call whose arguments are worth saying: the text is made only on failure. */
  @SuppressWarnings("AnnotateFormatMethod") // Its annotation would be a dependency of its own.
  static void check(int result, String format, Object... arguments) {
    if (result != SUCCESS) {
      throw new CudaException(format.formatted(arguments), result);
    }
  }

  /** Name, number and remedy. */
  static String describe(int result) {
    return CUresult.stringFor(result) + " (" + result + ")" + remedy(result);
  }

  private static String remedy(int result) {
    String text =
        switch (result) {
          case 2 -> "the GPU has no memory left for this: free some, or use smaller buffers";
          case 3, 4 -> "the driver is not initialised or shutting down";
          case 100 -> "no GPU is visible: look at CUDA_VISIBLE_DEVICES and nvidia-smi";
          case 101 -> "no such device: look at Gpu.devices()";
          case 201 -> "no current context on this thread: call GpuContext.makeCurrent()";
          case 209 -> "the kernels hold no code for this GPU: build them for its architecture";
          case 218 -> "the PTX does not compile: the driver may be older than the toolkit";
          case 500 -> "no such symbol in the module: kernels and jgin are of different versions";
          case 700 ->
              "a kernel touched memory that is not its own; the context is lost."
                  + " compute-sanitizer finds the access";
          case 701 -> "too many registers or threads for this launch";
          case 702 -> "a kernel ran longer than the system allows; the context is lost";
          case 719 -> "a kernel failed; the context is lost";
          case 720 -> "more blocks than can be resident at once: a cooperative grid must fit";
          case 712 -> "this memory is registered already, by its own or by a neighbour's pages";
          case 802 ->
              "the GPU system is not ready: on NVSwitch machines nvidia-fabricmanager must run";
          case 803 -> "driver and library do not match: reboot, or install the driver again";
          case 999 -> "unknown to the driver; a debugger or sanitizer may know more";
          default -> "";
        };
    return text.isEmpty() ? "" : "; " + text;
  }
}
