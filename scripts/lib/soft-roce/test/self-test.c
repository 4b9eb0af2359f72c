// SPDX-License-Identifier: Apache-2.0
// self-test DEVICE DEVICE ITERATIONS: shows that the devices carry data and signals in order, and, where
// JGIN_RXE_PATH names the command that breaks and slows paths, that a broken path is an error, a mended
// one works again, and a slow lane falls behind another.
#include "lane.h"

static const double PATIENCE = 30;

static void write_forwards_read_backwards(struct end *from, struct end *to, int iterations) {
  uint64_t base = counter(to);
  double begin = seconds();
  for (int i = 1; i <= iterations; i++) {
    for (int k = 0; k < PAYLOAD; k++) from->memory[k] = (unsigned char)(i + k);
    put_and_signal(from, to);
    double deadline = seconds() + PATIENCE;
    while (counter(to) != base + i)
      if (seconds() > deadline) die("iteration %d: the signal did not arrive", i);
    for (int k = PAYLOAD - 1; k >= 0; k--)
      if (to->memory[k] != (unsigned char)(i + k))
        die("iteration %d: byte %d is %d, not %d", i, k, to->memory[k], (unsigned char)(i + k));
    enum ibv_wc_status status = complete(from, deadline);
    if (status) die("iteration %d: %s", i, ibv_wc_status_str(status));
  }
  printf("data: %d writes of %d bytes, each seen whole behind its signal; %.0f us each\n", iterations,
         PAYLOAD, (seconds() - begin) / iterations * 1e6);
}

static void path(const char *arguments) {
  char line[512];
  snprintf(line, sizeof line, "%s %s", getenv("JGIN_RXE_PATH"), arguments);
  if (system(line)) die("failed: %s", line);
}

static enum ibv_qp_state state(struct end *end) {
  struct ibv_qp_attr attributes;
  struct ibv_qp_init_attr initial;
  if (ibv_query_qp(end->qp, &attributes, IBV_QP_STATE, &initial)) die("cannot query a QP");
  return attributes.qp_state;
}

// Breaks the path, sees the error and whether the signal took effect all the same (arrives, 0 or 1: how
// often), mends and reconnects.
static void fail_and_recover(struct end *from, struct end *to, const char *harm, const char *remedy,
                             uint64_t arrives) {
  path(harm);
  uint64_t base = counter(to);
  double begin = seconds();
  put_and_signal(from, to);
  enum ibv_wc_status status = complete(from, begin + PATIENCE);
  double took = seconds() - begin;
  if (counter(to) - base != arrives)
    die("%s: the signal took effect %d times, not %d", harm, (int)(counter(to) - base), (int)arrives);
  if (status != IBV_WC_RETRY_EXC_ERR)
    die("%s: %s instead of an exhausted retry count", harm, ibv_wc_status_str(status));
  if (state(from) != IBV_QPS_ERR) die("%s: the QP is in state %d, not ERR", harm, state(from));
  path(remedy);
  connect_end(from, to);
  connect_end(to, from);
  printf("failure: %s: %s after %.0f ms, the signal took effect %d times; %s: ", harm,
         ibv_wc_status_str(status), took * 1e3, (int)arrives, remedy);
  write_forwards_read_backwards(from, to, 10);
}

static void overtake(struct end slow[2], struct end quick[2], const char *device) {
  char command[128];
  snprintf(command, sizeof command, "delay %s 200 %u", device, slow[1].qp->qp_num);
  path(command);
  uint64_t slow_base = counter(&slow[1]), quick_base = counter(&quick[1]);
  double begin = seconds();
  put_and_signal(&slow[0], &slow[1]);
  put_and_signal(&quick[0], &quick[1]);
  while (counter(&quick[1]) == quick_base)
    if (seconds() > begin + PATIENCE) die("the quick lane is stuck");
  if (counter(&slow[1]) != slow_base) die("the delayed lane was not overtaken");
  double overtaken = seconds() - begin;
  if (complete(&quick[0], begin + PATIENCE)) die("an error on the quick lane");
  if (complete(&slow[0], begin + PATIENCE)) die("an error on the delayed lane");
  if (counter(&slow[1]) != slow_base + 1) die("completed, and the delayed signal has no effect");
  printf("order: posted second, seen first, after %.1f ms; the delayed lane took %.0f ms\n",
         overtaken * 1e3, (seconds() - begin) * 1e3);
  snprintf(command, sizeof command, "heal %s", device);
  path(command);
}

int main(int count, char **arguments) {
  if (count != 4) die("usage: self-test DEVICE DEVICE ITERATIONS");
  setvbuf(stdout, NULL, _IOLBF, 0);
  struct end lane[2] = {0}, other[2] = {0};
  for (int i = 0; i < 2; i++) {
    open_end(&lane[i], arguments[1 + i]);
    open_end(&other[i], arguments[1 + i]);
  }
  for (int i = 0; i < 2; i++) {
    connect_end(&lane[i], &lane[1 - i]);
    connect_end(&other[i], &other[1 - i]);
  }
  write_forwards_read_backwards(&lane[0], &lane[1], atoi(arguments[3]));
  if (getenv("JGIN_RXE_PATH")) {
    char harm[128], remedy[128];
    snprintf(harm, sizeof harm, "drop %s", arguments[1]);
    snprintf(remedy, sizeof remedy, "heal %s", arguments[1]);
    fail_and_recover(&lane[0], &lane[1], harm, remedy, 0);
    snprintf(harm, sizeof harm, "drop %s %u", arguments[1], lane[1].qp->qp_num);
    fail_and_recover(&lane[0], &lane[1], harm, remedy, 0);
    snprintf(harm, sizeof harm, "down %s", arguments[2]);
    snprintf(remedy, sizeof remedy, "up %s", arguments[2]);
    fail_and_recover(&lane[0], &lane[1], harm, remedy, 0);
    // Acknowledgements alone are lost: the same error, and this time the signal took effect, once
    // although it was sent again and again.
    snprintf(harm, sizeof harm, "drop %s", arguments[2]);
    snprintf(remedy, sizeof remedy, "heal %s", arguments[2]);
    fail_and_recover(&lane[0], &lane[1], harm, remedy, 1);
    overtake(lane, other, arguments[1]);
  } else {
    printf("failure, order: not shown, for nothing here breaks or slows a path\n");
  }
  printf("self-test: OK\n");
  return 0;
}
