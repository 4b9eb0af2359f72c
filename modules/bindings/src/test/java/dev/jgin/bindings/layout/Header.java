// SPDX-License-Identifier: Apache-2.0
package dev.jgin.bindings.layout;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.GroupLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * A C header that is bound: how it is included, where it lies, which of its types are generated.
 */
enum Header {
  VERBS("verbs", "infiniband/verbs.h", "ibverbs", "libibverbs", "libibverbs-dev"),
  MLX5("mlx5dv", "infiniband/mlx5dv.h", "mlx5", "libmlx5", "libibverbs-dev"),
  PMIX("pmix", "pmix.h", "pmix", "pmix", "libpmix-dev"),
  CUDA("cuda", "cuda.h", "cuda", "", "a CUDA toolkit, with CUDA_HOME set to it"),
  ABI("abi", "jgin/abi.h", "abi", "", "the whole checkout, with cuda-kernels/include");

  private static final String CUDA_HOME =
      System.getenv().getOrDefault("CUDA_HOME", "/usr/local/cuda");

  /** Headers of this repository, seen from this module. */
  private static final String OWN = "../../cuda-kernels/include";

  private static final String VERSION = "#define [A-Z]+_(ABI_)?VERSION \\d+";

  private final String name;
  private final String file;
  private final String packageName;
  private final String pkgConfig;
  private final String remedy;

  Header(String name, String file, String packageName, String pkgConfig, String remedy) {
    this.name = name;
    this.file = file;
    this.packageName = packageName;
    this.pkgConfig = pkgConfig;
    this.remedy = remedy;
  }

  String file() {
    return file;
  }

  String remedy() {
    return remedy;
  }

  /** The folder to give to the compiler, or empty if it looks there anyway. */
  String folder() {
    return switch (this) {
      case ABI -> OWN;
      case CUDA -> CUDA_HOME + "/include";
      case VERBS, MLX5, PMIX -> Command.line("pkg-config", "--variable=includedir", pkgConfig);
    };
  }

  /** The version of the header on this machine. */
  String version() throws IOException {
    String version;
    if (pkgConfig.isEmpty()) {
      try (Stream<String> lines = Files.lines(Path.of(folder(), file))) {
        version =
            lines
                .filter(line -> line.matches(VERSION))
                .map(line -> line.substring(line.lastIndexOf(' ') + 1))
                .findFirst()
                .orElse("");
      }
    } else {
      version = Command.line("pkg-config", "--modversion", pkgConfig);
    }
    return version.isEmpty() ? "of unknown version (no pkg-config)" : version;
  }

  /** The version that the checked-in classes were made from. */
  String boundVersion() throws IOException {
    try (Stream<String> lines = Files.lines(Path.of("src/generated/versions.txt"))) {
      return lines
          .filter(line -> line.startsWith(name + " "))
          .map(line -> line.substring(name.length() + 1))
          .findFirst()
          .orElseThrow();
    }
  }

  /** Every generated layout by the C name of its type, e.g. {@code struct ibv_qp}. */
  Map<String, GroupLayout> types() throws IOException, ReflectiveOperationException {
    Map<String, GroupLayout> types = new TreeMap<>();
    TreeSet<String> unnamed = new TreeSet<>(generatedClasses());
    for (String line : Files.readAllLines(Path.of("src/jextract/" + name + ".args"))) {
      List<String> words = List.of(line.split(" ", -1));
      String kind = words.getFirst();
      if (unnamed.remove(words.getLast())) {
        String prefix = kind.equals("--include-typedef") ? "" : kind.substring(10) + " ";
        types.put(prefix + words.getLast(), layout(words.getLast()));
      }
    }
    if (!unnamed.isEmpty()) {
      throw new AssertionError("types in src/generated that " + name + ".args lacks: " + unnamed);
    }
    return types;
  }

  private List<String> generatedClasses() throws ReflectiveOperationException {
    List<String> names = new ArrayList<>();
    Path folder = Path.of("src/generated/java/dev/jgin/bindings", packageName);
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.sorted().toList()) {
        String type = file.getFileName().toString().replace(".java", "");
        if (Stream.of(load(type).getMethods()).anyMatch(m -> m.getName().equals("layout"))) {
          names.add(type);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return names;
  }

  private GroupLayout layout(String type) throws ReflectiveOperationException {
    return (GroupLayout) load(type).getMethod("layout").invoke(null);
  }

  // Without initialising: a header class looks its library up when it initialises.
  private Class<?> load(String type) throws ClassNotFoundException {
    return Class.forName(
        "dev.jgin.bindings." + packageName + "." + type, false, Header.class.getClassLoader());
  }
}
