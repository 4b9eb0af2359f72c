// SPDX-License-Identifier: Apache-2.0
package dev.jgin.bindings;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.util.Optional;

/**
 * The native libraries behind the generated packages, and whether this process can use them.
 *
 * <p>Ask here before touching a generated header class ({@code verbs_h} and its like), even for a
 * constant: such a class looks its library up when it initialises, and if that fails every later
 * use says {@link NoClassDefFoundError} without a reason. Layouts of structs need no library.
 *
 * <p>Available means that the library loads, not that there is a device: {@code
 * ibv_get_device_list} of a machine without RDMA returns NULL with errno {@code ENOSYS}.
 *
 * <p>Each library is looked for once, when first asked; a library installed later is seen by the
 * next process. Thread-safe.
 */
public final class NativeLibrary {
  /** {@link dev.jgin.bindings.ibverbs}: the verbs of rdma-core. */
  public static final NativeLibrary VERBS =
      new NativeLibrary(
          "libibverbs.so.1", "libibverbs1 and ibverbs-providers (Debian) or libibverbs (RHEL)");

  /** {@link dev.jgin.bindings.mlx5}: direct access to the queues of a ConnectX. */
  public static final NativeLibrary MLX5 =
      new NativeLibrary("libmlx5.so.1", "ibverbs-providers (Debian) or libibverbs (RHEL)");

  /** {@link dev.jgin.bindings.pmix}: the launcher's process-management interface. */
  public static final NativeLibrary PMIX =
      new NativeLibrary("libpmix.so.2", "libpmix2 (Debian) or pmix (RHEL)");

  /** {@link dev.jgin.bindings.cuda}: the CUDA driver. */
  public static final NativeLibrary CUDA =
      new NativeLibrary("libcuda.so.1", "an NVIDIA driver, whose library this is");

  private final String soname;
  private final String packages;
  private Probe probe;

  NativeLibrary(String soname, String packages) {
    this.soname = soname;
    this.packages = packages;
  }

  /** The name by which the dynamic linker knows the library, e.g. {@code libibverbs.so.1}. */
  public String soname() {
    return soname;
  }

  /** Whether the library loads in this process. */
  public boolean isAvailable() {
    return unavailabilityCause() == null;
  }

  /** Why the library does not load, with the linker's own words and the remedy; null if it does. */
  public NativeUnavailableException unavailabilityCause() {
    return probe().cause;
  }

  /**
   * Returns if the library loads.
   *
   * @throws NativeUnavailableException if it does not, as {@link #unavailabilityCause} says
   */
  public void ensureAvailability() {
    NativeUnavailableException cause = unavailabilityCause();
    if (cause != null) {
      // A fresh one: the stack should show who asked now, not who asked first.
      throw new NativeUnavailableException(cause.getMessage(), cause);
    }
  }

  /**
   * The address of an exported symbol. Bindings are made from one version of a header; a library
   * older than that lacks functions, and a caller that can do without one asks here first.
   *
   * @throws NativeUnavailableException if the library does not load
   */
  public Optional<MemorySegment> find(String symbol) {
    ensureAvailability();
    return probe().symbols.find(symbol);
  }

  private synchronized Probe probe() {
    if (probe == null) {
      probe = load();
    }
    return probe;
  }

  // The names are those of the constants above: no caller chooses what is loaded.
  @SuppressWarnings("restricted")
  private Probe load() {
    try {
      return new Probe(SymbolLookup.libraryLookup(soname, Arena.global()), null);
    } catch (IllegalArgumentException e) {
      return new Probe(
          null,
          new NativeUnavailableException(
              "cannot load %s: %s; install %s, or name its folder in LD_LIBRARY_PATH"
                  .formatted(soname, DynamicLinker.explain(soname), packages),
              e));
    } catch (IllegalCallerException e) {
      return new Probe(
          null,
          new NativeUnavailableException(
              "cannot load %s: this JVM denies native access to jgin; add %s to its options"
                  .formatted(soname, "--enable-native-access=" + nativeCaller()),
              e));
    }
  }

  private static String nativeCaller() {
    Module module = NativeLibrary.class.getModule();
    return module.isNamed() ? module.getName() : "ALL-UNNAMED";
  }

  /** What one look gave: the library's symbols or the reason why there are none. */
  private record Probe(SymbolLookup symbols, NativeUnavailableException cause) {}
}
