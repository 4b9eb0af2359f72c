// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gpu;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import jcuda.JCudaVersion;
import jcuda.driver.JCudaDriver;

/**
 * JCuda's native library. JCuda looks in {@code java.library.path}, where our scripts put it, and
 * else unpacks it to a fixed name in the temporary folder without a lock: of two processes that
 * start at once one may load half a file, and anybody may have put one there before. So where the
 * path has none, it is unpacked here, once, into a folder that only this user can enter; JCuda
 * finds a file there and leaves it alone.
 */
final class JcudaLibrary {
  private static final String TEMPORARY = "java.io.tmpdir";

  private JcudaLibrary() {}

  /** Loads it. Empty if it is there, otherwise why not, with the remedy. */
  static Optional<String> load() {
    String file = "libJCudaDriver-" + version() + "-linux-x86_64.so";
    try {
      if (inLibraryPath(file)) {
        initialise();
        return Optional.empty();
      }
      String before = System.getProperty(TEMPORARY);
      Path folder = unpack(file, Path.of(before));
      if (folder == null) {
        return Optional.of(
            "JCuda's native library "
                + file
                + " is neither in java.library.path ("
                + System.getProperty("java.library.path")
                + ") nor in a jar: put the folder that holds it into -Djava.library.path");
      }
      System.setProperty(TEMPORARY, folder.toString());
      try {
        initialise();
      } finally {
        System.setProperty(TEMPORARY, before);
      }
      return Optional.empty();
    } catch (LinkageError e) {
      return Optional.of(
          "JCuda's native library "
              + file
              + " does not load: "
              + last(e)
              + "; it needs libcuda.so.1, libstdc++.so.6 and native access"
              + " (--enable-native-access=jcuda, or ALL-UNNAMED on the class path)");
    } catch (IOException e) {
      return Optional.of(
          "JCuda's native library cannot be unpacked: "
              + e
              + "; put the folder that holds "
              + file
              + " into -Djava.library.path");
    }
  }

  private static String version() {
    return JCudaVersion.get();
  }

  private static void initialise() {
    JCudaDriver.setExceptionsEnabled(false);
  }

  private static boolean inLibraryPath(String file) {
    for (String folder :
        System.getProperty("java.library.path", "").split(File.pathSeparator, -1)) {
      if (!folder.isEmpty() && Files.isReadable(Path.of(folder, file))) {
        return true;
      }
    }
    return false;
  }

  /**
   * The folder below {@code temporary} that holds the library, whole: it appears by a rename. Null
   * if no jar has it.
   */
  static Path unpack(String file, Path temporary) throws IOException {
    try (InputStream in = ClassLoader.getSystemResourceAsStream("lib/" + file)) {
      if (in == null) {
        return null;
      }
      Path folder = privateFolder(temporary);
      Path library = folder.resolve(file);
      if (!Files.exists(library)) {
        Path part = Files.createTempFile(folder, file, ".part");
        try {
          Files.copy(in, part, StandardCopyOption.REPLACE_EXISTING);
          Files.move(part, library, StandardCopyOption.ATOMIC_MOVE);
        } finally {
          Files.deleteIfExists(part);
        }
      }
      return folder;
    }
  }

  private static Path privateFolder(Path temporary) throws IOException {
    String user = System.getProperty("user.name");
    FileAttribute<?> mine =
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
    Path folder = temporary.resolve("jgin-jcuda-" + user);
    if (!Files.isDirectory(folder)) {
      try {
        return Files.createDirectory(folder, mine);
      } catch (IOException e) {
        if (!Files.isDirectory(folder)) {
          throw e;
        }
      }
    }
    var owner =
        FileSystems.getDefault().getUserPrincipalLookupService().lookupPrincipalByName(user);
    boolean ours =
        Files.getOwner(folder).equals(owner)
            && PosixFilePermissions.toString(Files.getPosixFilePermissions(folder))
                .equals("rwx------");
    // Someone else's: they could swap the library. A new one, for this process alone.
    return ours ? folder : Files.createTempDirectory(temporary, "jgin-jcuda-", mine);
  }

  private static String last(Throwable e) {
    Throwable last = e;
    while (last.getCause() != null) {
      last = last.getCause();
    }
    // JCuda puts two stack traces into its message; the reason is what the linker said.
    List<String> lines = String.valueOf(last.getMessage()).lines().map(String::strip).toList();
    return lines.stream()
        .filter(line -> line.contains(".so") && line.contains(": "))
        .findFirst()
        .map(line -> line.substring(line.indexOf(": ") + 2))
        .orElse(lines.isEmpty() ? "no reason given" : lines.getFirst());
  }
}
