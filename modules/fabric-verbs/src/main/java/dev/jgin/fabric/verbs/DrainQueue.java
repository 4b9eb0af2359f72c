// SPDX-License-Identifier: Apache-2.0
package dev.jgin.fabric.verbs;

import dev.jgin.fabric.verbs.device.CompletionQueue;
import dev.jgin.fabric.verbs.device.QueuePair;
import dev.jgin.fabric.verbs.queue.LaneTickets;
import dev.jgin.fabric.verbs.queue.SendRing;

/**
 * Finds out whether writes that a fenced queue pair accepted have reached memory: a queue pair
 * connected to itself reads 8 bytes of this rank's memory through the same device. On PCI Express a
 * read does not pass posted writes of its device, so when it completes, they have landed (PCI
 * Express Base Specification, section 2.4.1). On a driver in the kernel (rxe) it proves nothing:
 * {@link VerbsLaneControl} waits for its tasks too.
 *
 * <p>Thread-safe.
 */
final class DrainQueue implements CompletionQueue.Sink {

  private static final int PSN = 0;

  private final Resources resources;
  private final CompletionQueue completions;
  private final QueuePair pair;
  private final SendRing ring;
  private final LaneTickets tickets;
  private String failure;

  DrainQueue(Resources resources) {
    this.resources = resources;
    int depth = resources.settings.depth();
    completions = new CompletionQueue(resources.device, resources.arena, depth);
    try {
      pair = resources.queuePair(completions, PSN);
      pair.connect(resources.address, pair.number(), PSN, resources.mtu);
    } catch (RuntimeException e) {
      completions.close();
      throw e;
    }
    ring = new SendRing(resources.arena, depth);
    tickets = new LaneTickets(depth);
    tickets.start(PSN);
  }

  /** Sends a read; returns its ticket, or −1 if there is no room: try again. */
  synchronized long send() {
    poll();
    if (tickets.full()) {
      return -1;
    }
    long ticket = tickets.take(1);
    int slot = tickets.slot(ticket);
    long at = resources.staging().address();
    ring.read(
        slot, ticket, at, resources.stagingLkey(), at + Long.BYTES, resources.stagingRkey(), 8);
    ring.signal(slot);
    int errno = pair.post(ring.cut(slot, slot));
    ring.link(slot);
    if (errno != 0) {
      throw new VerbsException("posting a read to drain a lane failed with errno " + errno, errno);
    }
    tickets.rang(ticket + 1);
    return ticket;
  }

  /** Whether the read of a ticket has completed. */
  synchronized boolean landed(long ticket) {
    poll();
    return tickets.completed() > ticket;
  }

  private void poll() {
    completions.poll(this);
    if (failure != null) {
      throw new VerbsException(failure, 0);
    }
  }

  @Override
  public void completed(long id, int status, int vendorError) {
    if (status != 0) {
      failure =
          "a read to drain a lane failed with status "
              + status
              + ", vendor code "
              + vendorError
              + ": the device may be gone; open the fabric anew";
      return;
    }
    tickets.succeeded(id);
  }

  void close() {
    pair.close();
    completions.close();
  }
}
