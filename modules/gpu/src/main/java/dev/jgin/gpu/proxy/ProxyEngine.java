// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gpu.proxy;

import dev.jgin.gin.Communicator;
import dev.jgin.gin.LaneFailedException;
import dev.jgin.gin.spi.RankTask.Step;
import java.util.ArrayList;
import java.util.List;

/**
 * Posts for the kernels of one rank: takes the descriptors of all rings of its streams, turns them
 * into operations on the rank's communicator, runs the barrier of each operation, and writes the
 * words that the kernels wait for.
 *
 * <p>Set-up: register windows and make barriers on the communicator (both collective), allocate
 * rings and words that the GPU can see, {@link #register} each stream, then let one thread call
 * {@link #step}: a {@link ProxyThread}, or a scheduler of ranks. That thread owns every context of
 * the communicator while it does; nobody else posts on them.
 *
 * <h2>What can go wrong</h2>
 *
 * Nothing that happens on a lane or in a ring is thrown by {@link #step}: the stream's owner finds
 * it in {@link ProxyStream#failure()}, the kernels find it in their proxy words, and no stream
 * waits longer than the deadline. A malformed descriptor or a deadline ends its stream. A lane in
 * error ends all streams of the rank, which share its lanes: their rows may be lost, and the epoch
 * cannot be taken back from kernels that other ranks have begun to answer. A failed stream takes
 * nothing more; make a new communicator.
 *
 * <h2>What is not promised</h2>
 *
 * The epoch in a proxy word says what the barrier's protocol says on this carrier, and that own
 * sources are reusable. It does not say that peers have read their rows.
 *
 * <p>One thread at a time. Steps allocate nothing, take no lock and do not block.
 */
public final class ProxyEngine {
  private final Communicator comm;
  private final ProxyOptions options;
  private final List<ProxyStream> registered = new ArrayList<>();
  private ProxyStream[] streams = new ProxyStream[0];
  private boolean look;
  private boolean failed;

  /** An engine without streams, over a communicator that it does not own. Not collective. */
  public ProxyEngine(Communicator comm, ProxyOptions options) {
    this.comm = comm;
    this.options = options;
  }

  /** The rank that it posts for. */
  public int rank() {
    return comm.rank();
  }

  /**
   * Adds a stream and sets its words to the epochs of its barriers. Not collective; before the
   * engine is given to another thread.
   *
   * @throws IllegalArgumentException if a ring names a lane that is not there, or a peer outside
   *     the barriers' team
   */
  public ProxyStream register(ProxyStreamSpec spec) {
    ProxyStream stream = new ProxyStream(comm, options, spec);
    registered.add(stream);
    streams = registered.toArray(ProxyStream[]::new);
    return stream;
  }

  /** The streams, in the order of their registration. */
  public List<ProxyStream> streams() {
    return List.copyOf(registered);
  }

  /**
   * Advances every stream without blocking.
   *
   * @return {@link Step#WAITING} if nothing moved; never {@link Step#DONE}
   */
  public Step step() {
    boolean moved = false;
    try {
      if (look) {
        // Completions and the carrier itself move only when somebody looks: also for a stream that
        // waits beside busy ones.
        comm.progress();
      }
      if (!failed) {
        comm.checkLanes();
      }
    } catch (LaneFailedException e) {
      failed = true;
      moved = failAll(e);
    }
    boolean waits = false;
    for (ProxyStream stream : streams) {
      moved |= stream.step();
      waits |= stream.waits();
    }
    look = waits || !moved;
    return moved ? Step.PROGRESS : Step.WAITING;
  }

  /**
   * Ends every stream: kernels that wait are told {@code JGIN_ERROR_ABORTED}. Called by the thread
   * that steps, or after it has ended.
   */
  public void abort(String why) {
    for (ProxyStream stream : streams) {
      stream.fail(new ProxyAbortedException(comm.rank(), stream.stream(), why));
    }
  }

  /** Whether no stream has an operation under way. */
  public boolean isIdle() {
    for (ProxyStream stream : streams) {
      if (stream.phase() != ProxyPhase.IDLE && stream.phase() != ProxyPhase.FAILED) {
        return false;
      }
    }
    return true;
  }

  private boolean failAll(RuntimeException why) {
    for (ProxyStream stream : streams) {
      stream.fail(why);
    }
    return true;
  }
}
