// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.verbs;

import dev.jgin.fabric.verbs.device.AsyncEvents;
import dev.jgin.gin.spi.LaneStatus;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Turns events of the device into errors of lanes, now and then: looking costs a system call, and
 * {@code progress} is called in every turn of every wait. Thread-safe.
 */
final class EventWatch {

  private static final int PERIOD = 1024;

  private final Resources resources;
  private final AsyncEvents events;
  private final AtomicBoolean busy = new AtomicBoolean();
  private int untilLook = PERIOD;

  EventWatch(Resources resources) {
    this.resources = resources;
    this.events = new AsyncEvents(resources.device, resources.arena);
  }

  /** Looks in every {@value #PERIOD}-th turn, unless another thread is looking. */
  void turn() {
    if (!busy.compareAndSet(false, true)) {
      return;
    }
    try {
      if (--untilLook == 0) {
        untilLook = PERIOD;
        look();
      }
    } finally {
      busy.set(false);
    }
  }

  private void look() {
    for (AsyncEvents.Event e = events.next(); e != null; e = events.next()) {
      if (e.scope() != AsyncEvents.Scope.OTHER) {
        fail(e);
      }
    }
  }

  private void fail(AsyncEvents.Event event) {
    for (VerbsContext context : resources.contexts) {
      for (VerbsLane lane : context.lanes()) {
        if (event.scope() == AsyncEvents.Scope.DEVICE || event.concerns(lane.pair())) {
          lane.fail(LaneStatus.LOCAL_DEVICE, event.what(), 0, -1);
        }
      }
    }
  }
}
