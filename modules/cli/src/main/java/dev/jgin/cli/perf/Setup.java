// SPDX-License-Identifier: Apache-2.0
package dev.jgin.cli.perf;

import dev.jgin.cli.UsageException;
import dev.jgin.cli.perf.loop.Soundness;
import dev.jgin.gin.UnsoundProtocolException;
import dev.jgin.gin.spi.Axioms;
import dev.jgin.gin.spi.Fabric;
import java.util.Optional;
import java.util.function.Supplier;

/** What is refused when the carrier is known. Stateless. */
final class Setup {
  private Setup() {}

  /** Set-up: what it refuses, it refuses because of what was asked for. */
  static <T> T asked(Supplier<T> setup) {
    try {
      return setup.get();
    } catch (UnsoundProtocolException e) {
      throw new UsageException(e.getMessage() + " The option for that is --allow-unsound.", e);
    } catch (IllegalArgumentException e) {
      throw new UsageException(e.getMessage(), e);
    } catch (OutOfMemoryError e) {
      throw noMemory(e);
    } catch (IllegalStateException e) {
      if (e.getCause() instanceof OutOfMemoryError o) {
        throw noMemory(o);
      }
      if (e.getMessage().contains("not available here")) {
        throw new UsageException(e.getMessage() + "; jgin fabrics lists those that are", e);
      }
      throw e;
    }
  }

  private static UsageException noMemory(OutOfMemoryError e) {
    return new UsageException(
        "there is no memory for the buffers ("
            + e.getMessage()
            + "): lower --size, --tx-depth or --contexts",
        e);
  }

  /**
   * Refuses a carrier on which the test would measure nothing, or the wrong thing.
   *
   * @throws UsageException with the sentence that explains it
   */
  static void check(PerfJob job, Fabric fabric) {
    if (fabric.scheduler().isPresent()) {
      throw new UsageException(
          "fabric '"
              + fabric.name()
              + "' runs its ranks in turn, in simulated time, and a time measured there means"
              + " nothing: add the option threads (for example emulated:ordered,threads=1), or take"
              + " another carrier");
    }
    if (job.allowUnsound()) {
      return;
    }
    refusal(job, fabric.axioms(), fabric.name())
        .ifPresent(why -> {
          throw new UsageException(why + " --allow-unsound runs it all the same.");
        });
  }

  private static Optional<String> refusal(PerfJob job, Axioms axioms, String carrier) {
    return switch (job.test()) {
      case PUT_LAT -> Soundness.ofPutLatency(job.mostBytes(), axioms, carrier);
      case PUT_BW -> Soundness.ofPutBandwidth(axioms, carrier);
      case SIGNAL_LAT, ATOMIC_LAT -> Soundness.ofSignals(job.test().label(), axioms, carrier);
      // The barrier refuses by itself.
      case BARRIER_LAT -> Optional.empty();
    };
  }

  /**
   * Puts outstanding on a context.
   *
   * @throws UsageException if more were asked for than a lane holds
   */
  static int depth(PerfJob job, Fabric fabric) {
    if (job.depth() > fabric.laneDepth() && job.depthGiven()) {
      throw new UsageException(
          "--tx-depth %d: a lane of fabric '%s' holds %d; lower it, or give the fabric a larger depth="
              .formatted(job.depth(), fabric.name(), fabric.laneDepth()));
    }
    return Math.min(job.depth(), fabric.laneDepth());
  }
}
