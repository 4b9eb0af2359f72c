/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The one contract between Java and CUDA: every byte that both sides read or write.
 *
 * Plain C11. Sizes, offsets and device addresses are uint64_t, so that a layout is the same for the C
 * compiler, for nvcc and for jextract. No pointers, bit-fields, unnamed members or inline functions.
 * Numbers are little-endian. "Address" means: as the GPU that runs the kernel sees it, device memory
 * or mapped pinned host memory, aligned to 128 bytes unless it says otherwise. 0 means "not there".
 *
 * Start with jgin_shape (what is being moved), then jgin_rank (where everything lies).
 *
 * Notation: R ranks, T tokens per rank at most, K top-k, E experts, EL experts of this rank, X expert
 * rows at most, V received rows at most, L returned rows per token at most, C contexts.
 */
#ifndef JGIN_ABI_H
#define JGIN_ABI_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define JGIN_STATIC_ASSERT(condition, text) static_assert(condition, text)
#else
#define JGIN_STATIC_ASSERT(condition, text) _Static_assert(condition, text)
#endif

/* Raised with every change of a layout, a constant or a kernel's arguments. */
#define JGIN_ABI_VERSION 3

/* ---- limits ---------------------------------------------------------------------------------- */

#define JGIN_MAX_EXPERTS 2048
#define JGIN_MAX_RANKS 1024
#define JGIN_MAX_TOP_K 32
#define JGIN_MAX_CONTEXTS 32
#define JGIN_MAX_STREAMS 64
/* Bytes of a dispatched or returned row. Where A quantises, input and row together: 204800. */
#define JGIN_MAX_ROW_BYTES 98304
/* Tokens of one rank: what a row number of 31 bits allows together with JGIN_MAX_RANKS. */
#define JGIN_MAX_TOKENS 1048576
/* Parts of a row begin at multiples of this: the widest load of a thread. */
#define JGIN_PART 16
/* Rows and blocks begin at multiples of this: no two rows share a cache line. */
#define JGIN_LINE 128
/* Elements that share a scale. */
#define JGIN_SCALE_BLOCK 128
/* An id, row, place or slot that stands for none. */
#define JGIN_NONE (-1)

/* ---- enumerations: the ordinals of the Java enums of the same name ------------------------------ */

/* dev.jgin.moe.numeric.DType */
#define JGIN_BF16 0
#define JGIN_FP16 1
#define JGIN_FP32 2
#define JGIN_FP8_E4M3 3

/* dev.jgin.moe.numeric.ScaleFormat */
#define JGIN_SCALE_NONE 0
#define JGIN_SCALE_FP32 1
#define JGIN_SCALE_UE8M0 2

/* dev.jgin.moe.ExpertLayout */
#define JGIN_EXPANDED 0
#define JGIN_ONE_ROW_PER_TOKEN 1

/* dev.jgin.moe.CombineMode */
#define JGIN_CANONICAL 0
#define JGIN_REDUCED 1

/* dev.jgin.moe.check.Check; a bit number of jgin_shape.checks */
#define JGIN_CHECK_EPOCH_TAG 0
#define JGIN_CHECK_SOURCE 1
#define JGIN_CHECK_TOKEN_ORDER 2
#define JGIN_CHECK_EXPERT_IDS 3
#define JGIN_CHECK_CURSOR_BOUND 4
#define JGIN_CHECK_COUNTS_EQUAL 5
#define JGIN_CHECK_COUNT_BLOCK 6
#define JGIN_CHECK_CHECKSUM 7
#define JGIN_CHECK_DEADLINE 8
#define JGIN_CHECK_LANE_ERROR 9
#define JGIN_CHECKS 10

/* dev.jgin.moe.check.Symptom */
#define JGIN_PHANTOM 0
#define JGIN_MISSING 1
#define JGIN_DOUBLE_ASSIGNED 2
#define JGIN_UNWRITTEN 3
#define JGIN_OUT_OF_BOUNDS 4
#define JGIN_TORN 5

/* How a peer is reached. */
#define JGIN_PEER_NVLINK 0
#define JGIN_PEER_PROXY 1
#define JGIN_PEER_GDAKI 2

/* The two operations of a layer: index of signals and proxy words. */
#define JGIN_OP_DISPATCH 0
#define JGIN_OP_COMBINE 1

/* Kernels, for error words and violations. */
#define JGIN_KERNEL_PLAN 0
#define JGIN_KERNEL_DISPATCH_SEND 1
#define JGIN_KERNEL_DISPATCH_EPILOGUE 2
#define JGIN_KERNEL_COMBINE_SEND 3
#define JGIN_KERNEL_COMBINE_REDUCE 4
#define JGIN_KERNELS 5

/* Windows, as descriptors name them. */
#define JGIN_WINDOW_SEND_ROWS 0
#define JGIN_WINDOW_RECEIVE_ROWS 1
#define JGIN_WINDOW_SEND_COUNTS 2
#define JGIN_WINDOW_RECEIVE_COUNTS 3
#define JGIN_WINDOW_SEND_RETURNS 4
#define JGIN_WINDOW_RECEIVE_RETURNS 5
#define JGIN_WINDOW_SIGNALS 6
#define JGIN_WINDOWS 7

/* ---- error word --------------------------------------------------------------------------------- */

/*
 * One 8-byte word; 0 = none. The first error wins (compare and swap), every wait looks at it, and a
 * stream whose word is not 0 takes no more work.
 *
 *   bits  0..7   code     bits  8..15  kernel    bits 16..31  peer (0xFFFF = unknown)
 *   bits 32..63  detail: context of a wait; rows demanded of a capacity, saturated
 */
#define JGIN_ERROR_NONE 0
/* A wait passed its deadline. */
#define JGIN_ERROR_DEADLINE 1
/* More rows came than there is room for; nothing was written past the end. */
#define JGIN_ERROR_CAPACITY 2
/* The host asked for an end (jgin_rank.abort_word). */
#define JGIN_ERROR_ABORTED 3
/* The proxy reported a failed lane or barrier. */
#define JGIN_ERROR_PROXY 4
/* A ring had no room until the deadline. */
#define JGIN_ERROR_RING_FULL 5
/* jgin_shape.abi_version is not the kernels', or rows are larger than JGIN_MAX_ROW_BYTES. */
#define JGIN_ERROR_ABI 6
/* The routing names an expert outside [-1, E), or has more tokens than configured. */
#define JGIN_ERROR_ROUTING 7
#define JGIN_ERROR_CODE_SHIFT 0
#define JGIN_ERROR_KERNEL_SHIFT 8
#define JGIN_ERROR_PEER_SHIFT 16
#define JGIN_ERROR_DETAIL_SHIFT 32
#define JGIN_ERROR_NO_PEER 65535

/* ---- launches ----------------------------------------------------------------------------------- */

/*
 * Every kernel takes one jgin_launch (at the end of this header) by value, on a grid of as many blocks as SMs are given to it (at
 * least 1, at most what is resident at once), one dimension, with these threads and this much dynamic
 * shared memory, which the kernel divides by itself. A kernel may be launched as a programmatic
 * dependent of the one before it.
 *
 *   jgin_plan_routing       P   ids, weights           -> plan
 *   jgin_dispatch_send      A   plan, tokens           -> rows and counts at the peers, signals
 *   jgin_dispatch_epilogue  B   waits; received rows   -> expert rows, origins
 *   jgin_combine_send       C   expert output, origins -> returned rows at the peers, signals
 *   jgin_combine_reduce     D   waits; returned rows   -> output
 */
#define JGIN_THREADS_PLAN 256
#define JGIN_THREADS_SEND 256
#define JGIN_THREADS_EPILOGUE 256
#define JGIN_THREADS_COMBINE 256
#define JGIN_THREADS_REDUCE 512
#define JGIN_SHARED_PLAN 49152
#define JGIN_SHARED_SEND 212992
#define JGIN_SHARED_EPILOGUE 212992
#define JGIN_SHARED_COMBINE 212992
#define JGIN_SHARED_REDUCE 212992

/* Use the plan as it is: P is not launched, and counts are not sent. Every rank must do alike. */
#define JGIN_LAUNCH_CACHED 1
/* Launched as a programmatic dependent of its predecessor. */
#define JGIN_LAUNCH_DEPENDENT 2

/* ---- what is being moved ------------------------------------------------------------------------ */

/*
 * Constant for a stream; equal on every rank but for rank, first_expert, local_experts. Rank r owns
 * experts [r * E / R, (r + 1) * E / R), in integer division.
 *
 * A dispatched row: jgin_row_header | ids i32[K] | weights f32[K] | places u32[K] | zeros to 16 |
 * payload | scales | zeros to 16. The place of a lane is the number of earlier lanes of the same
 * source that name the same expert. A returned row: jgin_return_header | payload. A count block:
 * jgin_count_header | counts u32[experts of the destination] | zeros to 16.
 */
struct jgin_shape {
  uint32_t abi_version;       /* JGIN_ABI_VERSION */
  uint32_t rank;
  uint32_t ranks;             /* R, 1 to JGIN_MAX_RANKS */
  uint32_t stream;            /* 0 to JGIN_MAX_STREAMS - 1 */
  uint32_t experts;           /* E */
  uint32_t first_expert;      /* of this rank */
  uint32_t local_experts;     /* EL; may be 0 */
  uint32_t max_local_experts; /* EL of the rank that owns most */
  uint32_t top_k;             /* K */
  uint32_t lanes;             /* L: K (canonical) or min(K, R) (reduced) */
  uint32_t max_tokens;        /* T */
  uint32_t hidden;            /* elements of a row */
  uint32_t dtype;             /* of dispatched elements */
  uint32_t scale_format;      /* of dispatched rows */
  uint32_t input_dtype;       /* of the tokens; other than dtype only if that is FP8: A quantises */
  uint32_t combine_dtype;     /* of expert output, returned rows and output; not FP8 */
  uint32_t layout;            /* JGIN_EXPANDED or JGIN_ONE_ROW_PER_TOKEN */
  uint32_t combine_mode;      /* JGIN_CANONICAL (expanded only) or JGIN_REDUCED */
  uint32_t expert_alignment;  /* rows; at least 1 */
  uint32_t contexts;          /* C */
  uint32_t checks;            /* bit n: check n is on */
  uint32_t audit;             /* 1: rows carry checksums */
  uint64_t expert_rows;       /* X; for one row per token, of received rows */
  uint64_t received_rows;     /* V = min(X, R * T) */
  uint64_t input_bytes;       /* of a token row of input_dtype, a multiple of 16 */
  uint64_t payload_bytes;     /* of a dispatched payload, a multiple of 16 */
  uint64_t scale_bytes;       /* of the scales of a row; may be 0; no multiple of anything */
  uint64_t combine_bytes;     /* of an expert output row, a multiple of 16 */
  uint64_t payload_at;        /* offset of the payload in a dispatched row, a multiple of 16 */
  uint64_t scales_at;         /* payload_at + payload_bytes */
  uint64_t row_bytes;         /* of a dispatched row, a multiple of 16, up to JGIN_MAX_ROW_BYTES */
  uint64_t row_stride;        /* row_bytes rounded up to 128 */
  uint64_t return_bytes;      /* 32 + combine_bytes */
  uint64_t return_stride;     /* return_bytes rounded up to 128 */
  uint64_t count_bytes;       /* 32 + 4 * max_local_experts, rounded up to 16 */
  uint64_t count_stride;      /* count_bytes rounded up to 128 */
  uint64_t timeout_nanos;     /* deadline of each wait, on the GPU's global timer */
};
JGIN_STATIC_ASSERT(sizeof(struct jgin_shape) == 208, "jgin_shape");
JGIN_STATIC_ASSERT(offsetof(struct jgin_shape, expert_rows) == 88, "jgin_shape.expert_rows");

/* ---- headers on the wire ------------------------------------------------------------------------ */

/* In front of a dispatched row. */
struct jgin_row_header {
  uint64_t epoch;
  uint32_t source_rank;
  uint32_t source_token;
  uint64_t checksum; /* of all other bytes of the row in audit mode, otherwise 0 */
  uint32_t stream;
  uint32_t top_k;
};
JGIN_STATIC_ASSERT(sizeof(struct jgin_row_header) == 32, "jgin_row_header");
JGIN_STATIC_ASSERT(offsetof(struct jgin_row_header, checksum) == 16, "jgin_row_header.checksum");

/* In front of a returned row. */
struct jgin_return_header {
  uint64_t epoch;
  uint32_t rank;     /* that returns it */
  uint32_t token;    /* at the rank that it returns to */
  uint64_t checksum; /* as in jgin_row_header */
  uint32_t lane;     /* of a partial sum: the first lane in it */
  uint32_t stream;
};
JGIN_STATIC_ASSERT(sizeof(struct jgin_return_header) == 32, "jgin_return_header");
JGIN_STATIC_ASSERT(offsetof(struct jgin_return_header, lane) == 24, "jgin_return_header.lane");

/* In front of a count block. A cached plan sends the header alone. */
struct jgin_count_header {
  uint64_t epoch;
  uint64_t hash; /* mix(mix(mix(seed, rows), tokens), xor over e of mix(e, counts[e])) */
  uint32_t rows; /* that follow, deduplicated by rank */
  uint32_t source_rank;
  uint32_t tokens; /* of the source */
  uint32_t cached; /* 1: the counts are those of the dispatch that made the plan */
};
JGIN_STATIC_ASSERT(sizeof(struct jgin_count_header) == 32, "jgin_count_header");
#define JGIN_COUNT_SEED 1785162094

/* ---- where everything lies ---------------------------------------------------------------------- */

/*
 * How rank p is reached, and where its bytes arrive; jgin_rank.peers is an array of R of them, this
 * rank itself included (NVLINK, its own windows).
 *
 * Windows: rows [epoch parity][source rank][slot] * row_stride; counts [parity][source] *
 * count_stride; returns [parity][token * L + place] * return_stride; signals [operation][parity]
 * [context][source] * 8. Parity is the epoch's lowest bit.
 */
struct jgin_peer {
  uint32_t kind; /* JGIN_PEER_... */
  uint32_t reserved;
  /* NVLINK: the peer's receive windows, as this GPU sees them. */
  uint64_t remote_rows;
  uint64_t remote_counts;
  uint64_t remote_returns;
  uint64_t remote_signals;
  /* The windows of this rank in which this peer's bytes arrive. */
  uint64_t local_rows;
  uint64_t local_counts;
  uint64_t local_returns;
};
JGIN_STATIC_ASSERT(sizeof(struct jgin_peer) == 64, "jgin_peer");

/* What changes from launch to launch. Zero at set-up, but for epochs that begin elsewhere. */
struct jgin_state {
  uint64_t dispatch_epoch; /* of the last dispatch that B finished; the next one has this + 1 */
  uint64_t combine_epoch;  /* of the last combine that D finished */
  uint64_t balance; /* B: hashes of the places that were filled, less those that were counted */
  uint64_t reserved;
  /* Blocks that have finished, by kernel; the last one sets 0. 8 words apart. */
  uint32_t finished[40]; /* [JGIN_KERNELS][8] */
  uint32_t plan_ticket;  /* chunks handed out by P */
  uint32_t failed_sources; /* B: whether a source had a row that was left out */
  uint64_t reserved_tail;
};
JGIN_STATIC_ASSERT(sizeof(struct jgin_state) == 208, "jgin_state");
JGIN_STATIC_ASSERT(offsetof(struct jgin_state, finished) == 32, "jgin_state.finished");

/*
 * What the host reads without a copy: pinned host memory, mapped. Written by the last block of B and
 * of D, the epoch last, with release: a host that acquires the epoch sees the rest.
 */
struct jgin_report {
  uint64_t dispatch_epoch; /* done */
  uint64_t combine_epoch;  /* done */
  uint64_t error;          /* the error word */
  uint64_t violations;     /* found since set-up, all checks together */
  uint64_t received_rows;  /* of the last dispatch */
  uint64_t total_rows;     /* of the last dispatch: expert rows, padding included */
  uint64_t tokens;         /* of the last dispatch: sent by this rank */
  uint64_t reserved;
};
JGIN_STATIC_ASSERT(sizeof(struct jgin_report) == 64, "jgin_report");

/* One thing found wrong. */
struct jgin_violation {
  uint32_t check;   /* JGIN_CHECK_... */
  uint32_t symptom; /* JGIN_PHANTOM... */
  uint32_t kernel;  /* JGIN_KERNEL_... */
  int32_t peer;     /* the rank whose bytes are wrong, or JGIN_NONE */
  int64_t row;      /* receive slot (dispatch), token * L + place (combine), or JGIN_NONE */
  uint64_t expected_epoch;
  uint64_t seen_epoch;
  int64_t expected; /* of the value that the check compares */
  int64_t seen;
  int32_t token; /* that the row says, or JGIN_NONE */
  int32_t lane;  /* lane or local expert, or JGIN_NONE */
};
JGIN_STATIC_ASSERT(sizeof(struct jgin_violation) == 64, "jgin_violation");
JGIN_STATIC_ASSERT(offsetof(struct jgin_violation, token) == 56, "jgin_violation.token");

/* In front of the records: device memory. Every failure is counted, the first ones are kept. */
struct jgin_violations {
  uint64_t capacity; /* records that fit behind this header; constant */
  uint64_t found;    /* all; records [0, min(found, capacity)) are valid */
  uint64_t by_check[14]; /* [JGIN_CHECKS] and room */
};
JGIN_STATIC_ASSERT(sizeof(struct jgin_violations) == 128, "jgin_violations");

/*
 * What P computes of a routing, and what the others told of theirs. All addresses of device memory,
 * made once for a plan; a plan may serve any stream of the engine, one dispatch at a time while its
 * counts are exchanged.
 */
struct jgin_plan {
  /* Input of P. */
  uint64_t input_tokens;  /* u32: tokens of the next routing, at most T */
  uint64_t input_ids;     /* i32 [T][K], JGIN_NONE = masked; aligned to 4 */
  uint64_t input_weights; /* f32 [T][K]; aligned to 4 */
  /* Output of P: what this rank sends. */
  uint64_t tokens;        /* u32 */
  uint64_t ids;           /* i32 [T][K], a copy */
  uint64_t weights;       /* f32 [T][K], a copy */
  uint64_t places;        /* u32 [T][K]; of masked lanes 0 */
  uint64_t slots;         /* i32 [T][K]: slot at the lane's rank, JGIN_NONE but for its first lane */
  uint64_t expert_counts; /* u32 [E]: lanes that name the expert */
  uint64_t rank_rows;     /* u32 [R]: rows for the rank */
  /* Output of B, kept for cached dispatches: what this rank receives. */
  uint64_t source_rows;   /* u32 [R] */
  uint64_t source_tokens; /* u32 [R] */
  uint64_t source_hash;   /* u64 [R] */
  uint64_t source_counts; /* u32 [R][EL] */
  /* Output of B for callers: where each local expert's rows begin, and how many there are. */
  uint64_t expert_start;      /* u32 [EL + 1] */
  uint64_t expert_row_counts; /* u32 [EL] */
  /* Scratch of P. */
  uint64_t chunk_counts; /* u32 [ceil(T / JGIN_PLAN_CHUNK)][E + R] */
  uint64_t chunk_flags;  /* u64 [1 + ceil(T / JGIN_PLAN_CHUNK)]: generation, flags; zero at set-up */
};
JGIN_STATIC_ASSERT(sizeof(struct jgin_plan) == 144, "jgin_plan");
/* Tokens of a chunk of P. */
#define JGIN_PLAN_CHUNK 64

/* All that the kernels of one rank and stream need. Constant after set-up. */
struct jgin_rank {
  struct jgin_shape shape;
  uint64_t state;      /* jgin_state, device memory */
  uint64_t report;     /* jgin_report, pinned host memory */
  uint64_t error_word; /* u64, device memory */
  uint64_t abort_word; /* u64, pinned host memory: not 0 = end all waits */
  uint64_t violations; /* jgin_violations and its records, device memory */
  uint64_t peers;      /* jgin_peer [R], device memory, constant */
  uint64_t signals;    /* u64 [2][2][C][R], device memory: written by NVLINK peers; zero at set-up */
  /* Dispatch in: dense rows. */
  uint64_t payload;    /* [T][input_bytes] */
  uint64_t scales;     /* [T][scale_bytes] if input_dtype is dtype and there are scales; aligned to 8 */
  /* Dispatch out. One row per token: rows are received rows. */
  uint64_t expert_payload; /* [X][payload_bytes] */
  uint64_t expert_scales;  /* [X][scale_bytes] */
  /* Origins of expert rows. For padding and rows left out: row_received JGIN_NONE, the rest stale. */
  uint64_t row_received; /* i32 [X]: the received row it was copied from */
  uint64_t row_lane;     /* i32 [X], expanded */
  uint64_t row_weight;   /* f32 [X], expanded */
  /* Origins of received rows, numbered in order of source, then slot. */
  uint64_t received_source;    /* i32 [V]; JGIN_NONE = left out */
  uint64_t received_token;     /* i32 [V]: at its source */
  uint64_t received_lane;      /* i32 [V]: the first of its lanes that names a local expert */
  uint64_t received_ordinal;   /* i32 [V]: other ranks that serve an earlier lane of the token */
  uint64_t received_expert;    /* i32 [V][K]: local expert of a lane, or JGIN_NONE */
  uint64_t received_row;       /* i32 [V][K], expanded: expert row of a lane, or JGIN_NONE */
  uint64_t received_weight;    /* f32 [V][K]: weight of a lane; 0 if it is not of this rank */
  /* Scratch of B; zero at set-up. */
  uint64_t row_stamp;     /* u32 [X]: lowest word of the epoch that filled the row */
  uint64_t placed;        /* u32 [R][EL]: rows placed; B leaves it zero */
  uint64_t source_failed; /* u32 [R]: a row of this source was left out; B leaves it zero */
  /* Combine in and out: dense rows. */
  uint64_t expert_output; /* [X][combine_bytes] */
  uint64_t output;        /* [T][combine_bytes] */
  /* PROXY only, all 0 without a PROXY peer: windows of the fabric, mapped pinned host memory. */
  uint64_t send_rows;    /* [T][row_stride] */
  uint64_t send_counts;  /* [R][count_stride] */
  uint64_t send_returns; /* [X or V][return_stride] */
  uint64_t rings;        /* jgin_ring [C][R], device memory */
  uint64_t proxy_words;  /* jgin_proxy_word [2], by operation; pinned host memory */
  uint32_t nvlink_peers; /* peers of that kind, this rank included */
  uint32_t proxy_peers;  /* peers of that kind */
};
JGIN_STATIC_ASSERT(sizeof(struct jgin_rank) == 208 + 32 * 8, "jgin_rank");
JGIN_STATIC_ASSERT(offsetof(struct jgin_rank, state) == 208, "jgin_rank.state");
JGIN_STATIC_ASSERT(offsetof(struct jgin_rank, payload) == 264, "jgin_rank.payload");
JGIN_STATIC_ASSERT(offsetof(struct jgin_rank, send_rows) == 416, "jgin_rank.send_rows");

/*
 * What a kernel is given, by value: in the constant bank, so that nothing is loaded to find out where
 * things lie. Constant for a rank, a stream and a plan; a graph may replay it.
 */
struct jgin_launch {
  struct jgin_rank rank;
  struct jgin_plan plan;
  uint32_t flags;    /* JGIN_LAUNCH_... */
  uint32_t reserved; /* 0 */
};
JGIN_STATIC_ASSERT(sizeof(struct jgin_launch) == 616, "jgin_launch");
JGIN_STATIC_ASSERT(offsetof(struct jgin_launch, plan) == 464, "jgin_launch.plan");

/* ---- PROXY -------------------------------------------------------------------------------------- */

/*
 * A ring per (context, peer). Many warps push, one host thread pops; it posts the descriptors of one
 * ring in ring order to lane (context, peer).
 *
 * A descriptor is eight 8-byte words. Bit 63 of EACH word is the phase: 1 on even laps of the ring, 0
 * on odd ones, so that fresh memory (zero) is not valid. A consumer takes a descriptor when all eight
 * words have its lap's phase, in whatever order they arrived: there is no doorbell, and nothing
 * depends on the order of the eight stores. position = lap * size + index.
 */
#define JGIN_PHASE_SHIFT 63
#define JGIN_DESCRIPTOR_WORDS 8
#define JGIN_DESCRIPTOR_BYTES 64
struct jgin_descriptor {
  uint64_t head;       /* bits 0..7 operation, 8..15 source window, 16..23 target window, 24..31
                          context, 32..47 peer, 48..62 reserved, 0 */
  uint64_t src_offset; /* in the source window */
  uint64_t dst_offset; /* in the target window of the peer */
  uint64_t bytes;
  uint64_t value;      /* PUT_VALUE: low 63 bits; SIGNAL: addend; ARRIVE: puts since the last ARRIVE */
  uint64_t high;       /* PUT_VALUE: bit 63 of the value; ARRIVE: JGIN_OP_... */
  uint64_t epoch;      /* of the operation that pushed it */
  uint64_t position;   /* in the ring, counted from 0: a consumer checks it */
};
JGIN_STATIC_ASSERT(sizeof(struct jgin_descriptor) == JGIN_DESCRIPTOR_BYTES, "jgin_descriptor");
#define JGIN_DESCRIPTOR_OPERATION_SHIFT 0
#define JGIN_DESCRIPTOR_SOURCE_WINDOW_SHIFT 8
#define JGIN_DESCRIPTOR_TARGET_WINDOW_SHIFT 16
#define JGIN_DESCRIPTOR_CONTEXT_SHIFT 24
#define JGIN_DESCRIPTOR_PEER_SHIFT 32

/* Copy bytes from a window of this rank into a window of the peer. */
#define JGIN_PROXY_PUT 1
/* Store one 8-byte value at dst_offset. */
#define JGIN_PROXY_PUT_VALUE 2
/* Add value to the 8-byte cell at dst_offset of a signal window, behind everything before it. */
#define JGIN_PROXY_SIGNAL 3
/* jgin_ring.consumed passes it only when the sources of everything before it may be overwritten. */
#define JGIN_PROXY_FLUSH 4
/*
 * All puts of an operation to this peer on this context are in front of it. When every ring of the
 * stream has brought one, the host runs the barrier of the operation.
 */
#define JGIN_PROXY_ARRIVE 5

struct jgin_ring {
  uint64_t descriptors; /* jgin_descriptor [size], pinned host memory; zero at set-up */
  uint64_t size;        /* a power of two, at least 2 */
  uint64_t consumed;    /* u64, pinned host memory, written by the host: descriptors it has taken, whose
                           slots may be overwritten */
  uint64_t produced;    /* u64, device memory: positions handed out; zero at set-up */
  uint64_t puts;        /* u64, device memory: puts since the last ARRIVE; zero at set-up */
  uint64_t reserved[3];
};
JGIN_STATIC_ASSERT(sizeof(struct jgin_ring) == 64, "jgin_ring");

/*
 * What B and D wait on for PROXY peers, written by the host with release: the epoch of the operation
 * whose barrier has been passed and whose own puts are complete, so that the next operation may
 * overwrite their sources; or, in error, not 0 = it never will be.
 */
struct jgin_proxy_word {
  uint64_t epoch;
  uint64_t error;
};
JGIN_STATIC_ASSERT(sizeof(struct jgin_proxy_word) == 16, "jgin_proxy_word");

#endif
