// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.verbs.device;

import dev.jgin.bindings.Errno;
import dev.jgin.bindings.NativeLibrary;
import dev.jgin.bindings.ibverbs.verbs_h;
import dev.jgin.fabric.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The RDMA devices of this machine. Thread-safe. */
public final class Devices {

  private static final String DRIVER =
      "load the driver of the adapter (mlx5_ib), or make a software device: modprobe rdma_rxe and"
          + " rdma link add rxe0 type rxe netdev eth0";

  private Devices() {}

  /** Why no device can be used here, with the remedy; empty if one can. */
  public static Optional<String> unavailabilityCause() {
    if (!NativeLibrary.VERBS.isAvailable()) {
      return Optional.of(NativeLibrary.VERBS.unavailabilityCause().getMessage());
    }
    try {
      return withList(Devices::cause);
    } catch (VerbsException e) {
      return Optional.of(e.getMessage());
    }
  }

  private static Optional<String> cause(List<MemorySegment> devices) {
    if (devices.isEmpty()) {
      return Optional.of("libibverbs finds no RDMA device; " + DRIVER);
    }
    Native.Result opened = Native.openDevice(devices.getFirst());
    if (opened.failed()) {
      return Optional.of(cannotOpen(nameOf(devices.getFirst()), opened.errno()));
    }
    int ignored = verbs_h.ibv_close_device(opened.pointer());
    return Optional.empty();
  }

  /** Names of all devices, in the order of the library. */
  public static List<String> names() {
    return withList(devices -> devices.stream().map(Devices::nameOf).toList());
  }

  /**
   * Opens a device by name, or the first one if {@code name} is empty.
   *
   * @throws IllegalArgumentException if there is none of that name, naming those that exist
   * @throws VerbsException if it cannot be opened
   */
  public static Device open(String name) {
    return open(name, CriticalMode.AUTO);
  }

  /** As {@link #open(String)}, saying how its hot functions are to be called. */
  public static Device open(String name, CriticalMode mode) {
    return withList(devices -> {
      for (MemorySegment device : devices) {
        String found = nameOf(device);
        if (name.isEmpty() || name.equals(found)) {
          Native.Result opened = Native.openDevice(device);
          if (opened.failed()) {
            throw new VerbsException(cannotOpen(found, opened.errno()), opened.errno());
          }
          return new Device(found, opened.pointer(), mode);
        }
      }
      throw new IllegalArgumentException(
          "device '"
              + name
              + "' is unknown: this machine has "
              + devices.stream().map(Devices::nameOf).toList());
    });
  }

  private static String cannotOpen(String name, int errno) {
    return "device '"
        + name
        + "' cannot be opened: "
        + Errno.describe(errno)
        + "; let this user read and write /dev/infiniband/uverbs* (in a container: pass those"
        + " devices in)";
  }

  private static <T> T withList(Function<List<MemorySegment>, T> use) {
    NativeLibrary.VERBS.ensureAvailability();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment count = arena.allocate(ValueLayout.JAVA_INT);
      MemorySegment list = Native.getDeviceList(count).orThrow("listing RDMA devices", DRIVER);
      try {
        List<MemorySegment> devices = new ArrayList<>();
        for (int i = 0; i < count.get(ValueLayout.JAVA_INT, 0); i++) {
          devices.add(list.getAtIndex(verbs_h.C_POINTER, i));
        }
        return use.apply(devices);
      } finally {
        verbs_h.ibv_free_device_list(list);
      }
    }
  }

  private static String nameOf(MemorySegment device) {
    return verbs_h.ibv_get_device_name(device).getString(0);
  }
}
