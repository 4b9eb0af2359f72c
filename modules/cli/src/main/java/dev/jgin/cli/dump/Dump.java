// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.dump;

import dev.jgin.cli.UsageException;
import dev.jgin.moe.EpConfig;
import dev.jgin.moe.EpStream;
import dev.jgin.moe.plan.Placement;
import dev.jgin.moe.routing.Routing;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** One dump that is being written. Different ranks may write at once. */
public final class Dump implements AutoCloseable {
  private final Path folder;
  private final Path partial;
  private final int iterations;
  private final RankFiles files;
  private final Manifest manifest;
  private final Thread onExit = new Thread(this::discard, "jgin-dump-cleanup");

  /**
   * Ranks write under the read lock, so that none adds a file to a folder that is being removed.
   */
  private final ReadWriteLock lock = new ReentrantReadWriteLock();

  private boolean over;

  private Dump(Path folder, Path partial, int iterations, RankFiles files, Manifest manifest) {
    this.folder = folder;
    this.partial = partial;
    this.iterations = iterations;
    this.files = files;
    this.manifest = manifest;
  }

  /**
   * Begins a dump of the first {@code iterations} iterations.
   *
   * @param folder where the dump will be; must not exist
   * @throws UsageException if it exists
   * @throws IOException if nothing can be written beside it
   */
  public static Dump begin(
      Path folder, int iterations, Manifest manifest, EpConfig config, Placement placement)
      throws IOException {
    Path place = folder.toAbsolutePath().normalize();
    if (Files.exists(place)) {
      throw new UsageException(
          "--dump " + folder + ": it exists; name a folder that does not, or remove it first");
    }
    Files.createDirectories(place.getParent());
    Path partial =
        Files.createTempDirectory(place.getParent(), "." + place.getFileName() + ".partial-");
    Dump dump = new Dump(place, partial, iterations, new RankFiles(config, placement), manifest);
    Runtime.getRuntime().addShutdownHook(dump.onExit);
    return dump;
  }

  /**
   * Writes what {@code rank} put into and got out of iteration {@code index}; nothing behind the
   * last iteration of the dump. Called when its combine is done and before the next dispatch.
   *
   * @throws UncheckedIOException if it cannot be written
   */
  public void rank(int index, int rank, EpStream stream, Routing routing) {
    if (index >= iterations) {
      return;
    }
    lock.readLock().lock();
    try {
      if (!over) {
        Path place = partial.resolve(place(index, rank));
        Files.createDirectories(place);
        files.write(place, stream, routing);
        manifest.add(index, rank, place(index, rank), routing.tokens(), stream.dispatched());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      lock.readLock().unlock();
    }
  }

  private static String place(int index, int rank) {
    return "iteration-%04d/rank-%04d".formatted(index, rank);
  }

  /** Writes the manifest and puts the dump in its place. */
  public void finish() throws IOException {
    lock.writeLock().lock();
    try {
      Files.writeString(partial.resolve("manifest.json"), manifest.text());
      Files.move(partial, folder, StandardCopyOption.ATOMIC_MOVE);
      over = true;
    } finally {
      lock.writeLock().unlock();
    }
  }

  /** Removes what was written, unless it is finished. */
  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(onExit);
    } catch (IllegalStateException e) {
      // The process is ending: the hook does it.
      return;
    }
    discard();
  }

  private void discard() {
    lock.writeLock().lock();
    try {
      over = true;
      Trees.delete(partial);
    } catch (IOException | UncheckedIOException e) {
      System.err.println("jgin: could not remove " + partial + ": " + e);
    } finally {
      lock.writeLock().unlock();
    }
  }
}
