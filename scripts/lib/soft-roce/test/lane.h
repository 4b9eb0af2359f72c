// SPDX-License-Identifier: Apache-2.0
// One end of an RC lane within this process, for the self-test. Every wait has a deadline; an error that
// the test does not ask for ends the process with a sentence.
#pragma once
#include <errno.h>
#include <infiniband/verbs.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { PAYLOAD = 4096, COUNTER = PAYLOAD, FETCHED = COUNTER + 8, MEMORY = 8192 };

struct end {
  struct ibv_context *context;
  struct ibv_pd *pd;
  struct ibv_cq *cq;
  struct ibv_qp *qp;
  struct ibv_mr *mr;
  unsigned char *memory;
  union ibv_gid gid;
  int gid_index;
};

static void die(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fprintf(stderr, "self-test: ");
  vfprintf(stderr, format, arguments);
  fprintf(stderr, "\n");
  va_end(arguments);
  exit(1);
}

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec + now.tv_nsec / 1e9;
}

// The GID that carries an IPv4 address (::ffff:a.b.c.d): on rxe that is RoCE v2.
static void find_gid(struct end *end) {
  for (end->gid_index = 0; end->gid_index < 64; end->gid_index++) {
    static const unsigned char prefix[12] = {[10] = 0xff, [11] = 0xff};
    if (!ibv_query_gid(end->context, 1, end->gid_index, &end->gid) &&
        !memcmp(end->gid.raw, prefix, sizeof prefix))
      return;
  }
  die("%s has no GID with an IPv4 address", ibv_get_device_name(end->context->device));
}

static void open_end(struct end *end, const char *device) {
  int count = 0;
  struct ibv_device **list = ibv_get_device_list(&count);
  for (int i = 0; i < count; i++)
    if (!strcmp(ibv_get_device_name(list[i]), device)) end->context = ibv_open_device(list[i]);
  if (!end->context) die("cannot open device %s", device);
  ibv_free_device_list(list);
  find_gid(end);
  end->memory = aligned_alloc(4096, MEMORY);
  memset(end->memory, 0, MEMORY);
  int access = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_ATOMIC;
  if (!(end->pd = ibv_alloc_pd(end->context))) die("no protection domain: %s", strerror(errno));
  if (!(end->cq = ibv_create_cq(end->context, 16, NULL, NULL, 0))) die("no CQ: %s", strerror(errno));
  if (!(end->mr = ibv_reg_mr(end->pd, end->memory, MEMORY, access)))
    die("cannot register %d bytes: %s", MEMORY, strerror(errno));
  struct ibv_qp_init_attr attributes = {
      .send_cq = end->cq,
      .recv_cq = end->cq,
      .qp_type = IBV_QPT_RC,
      .cap = {.max_send_wr = 16, .max_recv_wr = 1, .max_send_sge = 1, .max_recv_sge = 1}};
  if (!(end->qp = ibv_create_qp(end->pd, &attributes))) die("no QP: %s", strerror(errno));
}

static void modify(struct end *end, struct ibv_qp_attr *attributes, int mask) {
  int error = ibv_modify_qp(end->qp, attributes, mask | IBV_QP_STATE);
  if (error) die("QP to state %d: %s", attributes->qp_state, strerror(error));
}

// From any state, with both ends starting at the same packet number.
static void connect_end(struct end *end, const struct end *peer) {
  modify(end, &(struct ibv_qp_attr){.qp_state = IBV_QPS_RESET}, 0);
  modify(end,
         &(struct ibv_qp_attr){.qp_state = IBV_QPS_INIT,
                               .port_num = 1,
                               .qp_access_flags = IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_ATOMIC},
         IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS);
  modify(end,
         &(struct ibv_qp_attr){
             .qp_state = IBV_QPS_RTR,
             .path_mtu = IBV_MTU_1024,
             .dest_qp_num = peer->qp->qp_num,
             .rq_psn = 7,
             .max_dest_rd_atomic = 4,
             .min_rnr_timer = 12,
             .ah_attr = {.is_global = 1,
                         .port_num = 1,
                         .grh = {.dgid = peer->gid, .sgid_index = end->gid_index, .hop_limit = 4}}},
         IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN | IBV_QP_MAX_DEST_RD_ATOMIC |
             IBV_QP_MIN_RNR_TIMER);
  // 4.096 us * 2^14 = 67 ms per attempt. Not 7 retries: rxe takes that for "for ever", and a broken path
  // would never be an error.
  modify(end,
         &(struct ibv_qp_attr){.qp_state = IBV_QPS_RTS,
                               .timeout = 14,
                               .retry_cnt = 3,
                               .rnr_retry = 7,
                               .sq_psn = 7,
                               .max_rd_atomic = 4},
         IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN |
             IBV_QP_MAX_QP_RD_ATOMIC);
}

// Posts a write of PAYLOAD bytes and an atomic add of 1 to the peer's counter, in one list.
static void put_and_signal(struct end *end, const struct end *peer) {
  struct ibv_sge data = {(uintptr_t)end->memory, PAYLOAD, end->mr->lkey};
  struct ibv_sge old = {(uintptr_t)end->memory + FETCHED, 8, end->mr->lkey};
  struct ibv_send_wr *refused, signal = {.wr_id = 2,
                                         .sg_list = &old,
                                         .num_sge = 1,
                                         .opcode = IBV_WR_ATOMIC_FETCH_AND_ADD,
                                         .send_flags = IBV_SEND_SIGNALED};
  signal.wr.atomic.remote_addr = (uintptr_t)peer->memory + COUNTER;
  signal.wr.atomic.rkey = peer->mr->rkey;
  signal.wr.atomic.compare_add = 1;
  struct ibv_send_wr write = {.wr_id = 1,
                              .next = &signal,
                              .sg_list = &data,
                              .num_sge = 1,
                              .opcode = IBV_WR_RDMA_WRITE,
                              .send_flags = IBV_SEND_SIGNALED};
  write.wr.rdma.remote_addr = (uintptr_t)peer->memory;
  write.wr.rdma.rkey = peer->mr->rkey;
  int error = ibv_post_send(end->qp, &write, &refused);
  if (error) die("post: %s", strerror(error));
}

// Takes both completions of a put_and_signal; returns the first status that is not success.
static enum ibv_wc_status complete(struct end *end, double deadline) {
  enum ibv_wc_status status = IBV_WC_SUCCESS;
  for (int taken = 0; taken < 2;) {
    struct ibv_wc completion;
    int polled = ibv_poll_cq(end->cq, 1, &completion);
    if (polled < 0) die("polling the CQ failed");
    if (polled == 0 && seconds() > deadline) die("no completion in time");
    if (polled == 1 && status == IBV_WC_SUCCESS) status = completion.status;
    taken += polled;
  }
  return status;
}

static uint64_t counter(const struct end *end) {
  return __atomic_load_n((uint64_t *)(end->memory + COUNTER), __ATOMIC_ACQUIRE);
}
