// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.doctor;

import java.io.IOException;
import java.lang.module.ModuleReader;
import java.lang.module.ModuleReference;
import java.util.List;
import java.util.Optional;

/** The kernels that this installation carries, and the compiler that would make them. */
record KernelProbe(Host host, KernelProbe.Resources resources) implements Probe {
  /** Where the build puts the kernels' machine code. */
  static final String FATBIN = "dev/jgin/gpu/kernels.fatbin";

  /** Tells whether jgin's GPU room holds a resource. */
  interface Resources {
    boolean has(String name);
  }

  @Override
  public List<Finding> look() {
    return List.of(
        resources.has(FATBIN)
            ? Finding.ok("kernels", FATBIN)
            : Finding.missing(
                "kernels",
                "no " + FATBIN,
                "everything on a GPU",
                "scripts/build-kernels on a machine with CUDA 13's nvcc"),
        nvcc()
            .map(path -> Finding.ok("kernels.nvcc", path))
            .orElseGet(() ->
                Finding.missing(
                    "kernels.nvcc",
                    "no nvcc on the PATH, and none in /usr/local/cuda/bin",
                    "building the kernels; running them needs no compiler",
                    "CUDA toolkit 13, or kernels that were built elsewhere")));
  }

  private Optional<String> nvcc() {
    String path = host.environment().getOrDefault("PATH", "") + ":/usr/local/cuda/bin";
    for (String folder : path.split(":", -1)) {
      if (folder.startsWith("/") && host.exists(folder + "/nvcc")) {
        return Optional.of(folder + "/nvcc");
      }
    }
    return Optional.empty();
  }

  /** Resources of {@code room}: a module's are hidden from others, but their reader shows them. */
  static Resources of(Module room) {
    return name ->
        room.getLayer() == null
            ? room.getClassLoader() != null && room.getClassLoader().getResource(name) != null
            : room.getLayer()
                .configuration()
                .findModule(room.getName())
                .map(module -> contains(module.reference(), name))
                .orElse(false);
  }

  private static boolean contains(ModuleReference module, String name) {
    try (ModuleReader reader = module.open()) {
      return reader.find(name).isPresent();
    } catch (IOException _) {
      return false;
    }
  }
}
