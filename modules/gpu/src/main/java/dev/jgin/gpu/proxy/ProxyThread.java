// SPDX-License-Identifier: Apache-2.0
package dev.jgin.gpu.proxy;

import dev.jgin.gin.WaitStrategy;
import dev.jgin.gin.spi.RankTask.Step;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A platform thread that steps one or several engines, in turn, until it is closed.
 *
 * <p>It owns every context of the engines' communicators. Start one for each rank that has a core
 * to spare, with {@link WaitStrategy#spin()}; give several ranks to one thread, or use {@link
 * WaitStrategy#backoff()}, where cores are fewer. It keeps spinning while streams are idle: no bell
 * is rung when a kernel pushes a descriptor.
 *
 * <p>Thread-safe.
 */
public final class ProxyThread implements AutoCloseable {
  private final ProxyEngine[] engines;
  private final WaitStrategy waiting;
  private final Thread thread;
  private volatile boolean stopping;
  private volatile boolean bound;
  private volatile Throwable failure;

  private ProxyThread(
      String name, List<ProxyEngine> engines, WaitStrategy waiting, OptionalInt cpu) {
    if (engines.isEmpty()) {
      throw new IllegalArgumentException("thread '" + name + "' has no engine to step");
    }
    this.engines = engines.toArray(ProxyEngine[]::new);
    this.waiting = waiting;
    // A daemon: an owner that forgot to close it must not keep the process alive.
    this.thread = Thread.ofPlatform().daemon().name(name).unstarted(() -> run(cpu));
  }

  /**
   * Starts a thread for {@code engines}, which take no more streams from now on.
   *
   * @param waiting what it does between two rounds in which nothing moved
   * @param cpu a processor to stay on if the system allows it; empty for any
   * @throws IllegalArgumentException if there is no engine
   */
  public static ProxyThread start(
      String name, List<ProxyEngine> engines, WaitStrategy waiting, OptionalInt cpu) {
    ProxyThread proxy = new ProxyThread(name, engines, waiting, cpu);
    proxy.thread.start();
    return proxy;
  }

  private void run(OptionalInt cpu) {
    try {
      if (cpu.isPresent()) {
        bound = CpuAffinity.bind(cpu.getAsInt());
      }
      loop();
      abort("its thread was closed");
    } catch (Throwable e) {
      // Whatever it is: kernels that wait must be told, and the owner must be able to see it.
      failure = e;
      abort("its thread failed: " + e);
    }
  }

  private void loop() {
    int round = 0;
    while (!stopping) {
      boolean moved = false;
      for (ProxyEngine engine : engines) {
        moved |= engine.step() != Step.WAITING;
      }
      if (moved) {
        round = 0;
      } else {
        waiting.idle(round++);
      }
    }
  }

  private void abort(String why) {
    for (ProxyEngine engine : engines) {
      try {
        engine.abort(why);
      } catch (RuntimeException e) {
        // Memory that is gone, for one: the other engines must be told nevertheless.
        failure = failure == null ? e : failure;
      }
    }
  }

  /** Whether it steps. */
  public boolean isAlive() {
    return thread.isAlive();
  }

  /** Whether it stays on the processor that was asked for. */
  public boolean isBound() {
    return bound;
  }

  /**
   * What ended the thread itself; empty while it runs and after a clean end. What ends a stream is
   * {@link ProxyStream#failure()}, and the thread goes on.
   */
  public Optional<Throwable> failure() {
    return Optional.ofNullable(failure);
  }

  /**
   * Stops after the round that is under way, and waits for it. Streams then take nothing more, and
   * kernels that still wait are told {@code JGIN_ERROR_ABORTED}. Idempotent.
   */
  @Override
  public void close() {
    stopping = true;
    boolean interrupted = false;
    while (thread.isAlive() && thread != Thread.currentThread()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
