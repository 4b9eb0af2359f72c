// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gpu.proxy;

import dev.jgin.bindings.abi.abi_h;
import dev.jgin.gin.Window;
import dev.jgin.gin.spi.Region;
import dev.jgin.gin.spi.RegionKind;

/**
 * What the window numbers of descriptors ({@code JGIN_WINDOW_…}) stand for. Immutable; windows that
 * are not named are not there, and a descriptor that names one is malformed.
 */
public final class ProxyWindows {
  private static final int WINDOWS = abi_h.JGIN_WINDOWS();
  private static final int SIGNALS = abi_h.JGIN_WINDOW_SIGNALS();

  private final Window[] windows;
  private final Region signals;

  private ProxyWindows(Window[] windows, Region signals) {
    this.windows = windows;
    this.signals = signals;
  }

  /** No windows yet. */
  public static ProxyWindows none() {
    return new ProxyWindows(new Window[WINDOWS], null);
  }

  /**
   * The same and {@code window} as number {@code index}.
   *
   * @throws IllegalArgumentException if there is no such number, or it is that of the signals
   */
  public ProxyWindows with(int index, Window window) {
    if (index < 0 || index >= WINDOWS || index == SIGNALS) {
      throw new IllegalArgumentException(
          "window " + index + ": rows and counts have numbers 0.." + (SIGNALS - 1));
    }
    Window[] more = windows.clone();
    more[index] = window;
    return new ProxyWindows(more, signals);
  }

  /**
   * The same and {@code region} as the signals.
   *
   * @throws IllegalArgumentException unless it is of kind {@link RegionKind#SIGNAL}
   */
  public ProxyWindows withSignals(Region region) {
    if (region.kind() != RegionKind.SIGNAL) {
      throw new IllegalArgumentException(
          "region '" + region.name() + "' is of kind " + region.kind() + ": signals need SIGNAL");
    }
    return new ProxyWindows(windows, region);
  }

  /** The window of rows or counts with this number; null if there is none. */
  Window window(int index) {
    return index < WINDOWS ? windows[index] : null;
  }

  /** The signals if {@code index} is their number and they are there; otherwise null. */
  Region signals(int index) {
    return index == SIGNALS ? signals : null;
  }
}
