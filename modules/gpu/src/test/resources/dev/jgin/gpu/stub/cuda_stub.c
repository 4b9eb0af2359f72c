/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stands in for libcuda.so.1 in tests without a GPU: says yes, writes down who called with what, and
 * says no where a test asked for it. Device memory is memory of the process, so that copies can be
 * looked at. No kernel runs. For one thread.
 *
 * Environment: STUB_DEVICES (default 3, of which two reach each other), STUB_DRIVER (13000), STUB_INIT (result of cuInit, 0),
 * STUB_DMA_BUF (1).
 */
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CALLS 4096
#define WORDS 5

static struct { const char *name; uint64_t words[WORDS]; } calls[CALLS];
static long called;
static char failing[64];
static int failure;
static uint64_t next_handle = 0x1000;
static char launch[1024];
static unsigned char argument[256];

/* ---- for the tests --------------------------------------------------------------------------- */

void stub_reset(void) { called = 0; failing[0] = 0; launch[0] = 0; memset(argument, 0, sizeof argument); }
long stub_calls(void) { return called; }
const char *stub_name(long i) { return calls[i % CALLS].name; }
uint64_t stub_word(long i, int word) { return calls[i % CALLS].words[word]; }
void stub_fail(const char *name, int result) { snprintf(failing, sizeof failing, "%s", name); failure = result; }
const char *stub_launch(void) { return launch; }
const unsigned char *stub_argument(void) { return argument; }

static int call(const char *name, int words, ...) {
  va_list list;
  long i = called++ % CALLS;
  calls[i].name = name;
  va_start(list, words);
  for (int w = 0; w < WORDS; w++) calls[i].words[w] = w < words ? va_arg(list, uint64_t) : 0;
  va_end(list);
  return strcmp(name, failing) == 0 ? failure : 0;
}

static int setting(const char *name, int otherwise) {
  const char *value = getenv(name);
  return value ? atoi(value) : otherwise;
}

#define U(x) ((uint64_t)(uintptr_t)(x))
#define NEW(name, out) \
  do { int r = call(name, 0); if (r == 0) *(uint64_t *)(out) = next_handle += 16; return r; } while (0)
#define PLAIN(name, words, ...) return call(name, words, __VA_ARGS__)

/* ---- devices and contexts ---------------------------------------------------------------------- */

int cuInit(unsigned flags) { (void)flags; return setting("STUB_INIT", 0); }
int cuDriverGetVersion(int *v) { *v = setting("STUB_DRIVER", 13000); return call("cuDriverGetVersion", 0); }
int cuDeviceGetCount(int *n) { *n = setting("STUB_DEVICES", 3); return call("cuDeviceGetCount", 0); }
int cuDeviceGet(int *device, int ordinal) { *device = ordinal; return call("cuDeviceGet", 1, U(ordinal)); }
int cuDeviceGetName(char *name, int bytes, int device) { snprintf(name, bytes, "Stub %d", device); return 0; }
int cuDeviceGetUuid(unsigned char *uuid, int device) { memset(uuid, 0xA0 + device, 16); return 0; }
int cuDeviceTotalMem_v2(size_t *bytes, int device) { (void)device; *bytes = 1ull << 37; return 0; }
int cuDeviceGetAttribute(int *value, int attribute, int device) {
  (void)device;
  switch (attribute) {
    case 16: *value = 132; return 0;
    case 38: *value = 62914560; return 0;
    case 75: *value = 9; return 0;
    case 76: *value = 0; return 0;
    case 97: *value = 232448; return 0;
    case 116: *value = 1; return 0;
    case 117: *value = 1; return 0;
    case 118: *value = 100; return 0;
    case 124: *value = setting("STUB_DMA_BUF", 1); return 0;
    default: return 1;
  }
}
int cuDeviceCanAccessPeer(int *can, int a, int b) { *can = a < 2 && b < 2; return call("cuDeviceCanAccessPeer", 2, U(a), U(b)); }
int cuDevicePrimaryCtxRetain(void *context, int device) {
  *(uint64_t *)context = 0xC000 + device;
  return call("cuDevicePrimaryCtxRetain", 1, U(device));
}
int cuDevicePrimaryCtxRelease_v2(int device) { PLAIN("cuDevicePrimaryCtxRelease", 1, U(device)); }
int cuCtxSetCurrent(void *context) { PLAIN("cuCtxSetCurrent", 1, U(context)); }
int cuCtxSynchronize(void) { return call("cuCtxSynchronize", 0); }
int cuCtxEnablePeerAccess(void *peer, unsigned flags) { PLAIN("cuCtxEnablePeerAccess", 2, U(peer), U(flags)); }

/* ---- memory ------------------------------------------------------------------------------------ */

int cuMemAlloc_v2(void *out, size_t bytes) {
  int r = call("cuMemAlloc", 1, U(bytes));
  if (r == 0) *(void **)out = aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
  return r;
}
int cuMemFree_v2(uint64_t p) { int r = call("cuMemFree", 1, p); if (r == 0) free((void *)p); return r; }
int cuMemHostAlloc(void *out, size_t bytes, unsigned flags) {
  int r = call("cuMemHostAlloc", 2, U(bytes), U(flags));
  if (r == 0) *(void **)out = memset(aligned_alloc(4096, (bytes + 4095) / 4096 * 4096), 0x5A, bytes);
  return r;
}
int cuMemFreeHost(void *p) { int r = call("cuMemFreeHost", 1, U(p)); if (r == 0) free(p); return r; }
/* Other than the host's address, as on a real machine it may be. */
int cuMemHostGetDevicePointer_v2(uint64_t *out, void *p, unsigned flags) {
  (void)flags;
  *out = U(p) + (1ull << 40);
  return call("cuMemHostGetDevicePointer", 1, U(p));
}
int cuMemHostRegister_v2(void *p, size_t bytes, unsigned flags) { PLAIN("cuMemHostRegister", 3, U(p), U(bytes), U(flags)); }
int cuMemHostUnregister(void *p) { PLAIN("cuMemHostUnregister", 1, U(p)); }
int cuMemcpyAsync(uint64_t to, uint64_t from, size_t bytes, void *stream) {
  int r = call("cuMemcpyAsync", 4, to, from, U(bytes), U(stream));
  if (r == 0) memcpy((void *)to, (void *)from, bytes);
  return r;
}
int cuMemsetD8Async(uint64_t to, unsigned char value, size_t bytes, void *stream) {
  int r = call("cuMemsetD8Async", 4, to, U(value), U(bytes), U(stream));
  if (r == 0) memset((void *)to, value, bytes);
  return r;
}
struct ipc_handle { char bytes[64]; };
int cuIpcGetMemHandle(struct ipc_handle *out, uint64_t p) {
  memset(out, 0x1C, sizeof *out);
  memcpy(out->bytes + 8, &p, 8);
  return call("cuIpcGetMemHandle", 1, p);
}
int cuIpcOpenMemHandle_v2(uint64_t *out, struct ipc_handle handle, unsigned flags) {
  memcpy(out, handle.bytes + 8, 8);
  return call("cuIpcOpenMemHandle", 3, *out, U(flags), U((unsigned char)handle.bytes[63]));
}
int cuIpcCloseMemHandle(uint64_t p) { PLAIN("cuIpcCloseMemHandle", 1, p); }
int cuMemGetHandleForAddressRange(void *out, uint64_t p, size_t bytes, int type, unsigned long long flags) {
  int r = call("cuMemGetHandleForAddressRange", 4, p, U(bytes), U(type), U(flags));
  if (r == 0) *(int *)out = dup(2);
  return r;
}

/* ---- streams, events, graphs --------------------------------------------------------------------- */

int cuStreamCreate(void *out, unsigned flags) { (void)flags; NEW("cuStreamCreate", out); }
int cuStreamDestroy_v2(void *s) { PLAIN("cuStreamDestroy", 1, U(s)); }
int cuStreamQuery(void *s) { PLAIN("cuStreamQuery", 1, U(s)); }
int cuStreamSynchronize(void *s) { PLAIN("cuStreamSynchronize", 1, U(s)); }
int cuStreamWaitEvent(void *s, void *e, unsigned flags) { PLAIN("cuStreamWaitEvent", 3, U(s), U(e), U(flags)); }
int cuStreamBeginCapture_v2(void *s, int mode) { PLAIN("cuStreamBeginCapture", 2, U(s), U(mode)); }
int cuStreamEndCapture(void *s, void *out) { (void)s; NEW("cuStreamEndCapture", out); }
int cuEventCreate(void *out, unsigned flags) { (void)flags; NEW("cuEventCreate", out); }
int cuEventDestroy_v2(void *e) { PLAIN("cuEventDestroy", 1, U(e)); }
int cuEventRecord(void *e, void *s) { PLAIN("cuEventRecord", 2, U(e), U(s)); }
int cuEventQuery(void *e) { PLAIN("cuEventQuery", 1, U(e)); }
int cuEventSynchronize(void *e) { PLAIN("cuEventSynchronize", 1, U(e)); }
int cuEventElapsedTime(float *ms, void *a, void *b) { *ms = 1.5f; PLAIN("cuEventElapsedTime", 2, U(a), U(b)); }
int cuGraphInstantiateWithFlags(void *out, void *graph, unsigned long long flags) {
  int r = call("cuGraphInstantiate", 2, U(graph), U(flags));
  if (r == 0) *(uint64_t *)out = next_handle += 16;
  return r;
}
int cuGraphDestroy(void *g) { PLAIN("cuGraphDestroy", 1, U(g)); }
int cuGraphExecDestroy(void *g) { PLAIN("cuGraphExecDestroy", 1, U(g)); }
int cuGraphLaunch(void *g, void *s) { PLAIN("cuGraphLaunch", 2, U(g), U(s)); }

/* ---- modules and launches ------------------------------------------------------------------------ */

int cuModuleLoadData(void *out, const void *image) {
  int r = call("cuModuleLoadData", 1, *(const uint32_t *)image);
  if (r == 0) *(uint64_t *)out = next_handle += 16;
  return r;
}
int cuModuleUnload(void *m) { PLAIN("cuModuleUnload", 1, U(m)); }
int cuModuleGetFunction(void *out, void *m, const char *name) {
  int r = call("cuModuleGetFunction", 1, U(m));
  if (r == 0 && strcmp(name, "absent") == 0) r = 500;
  if (r == 0) *(uint64_t *)out = next_handle += 16;
  return r;
}
int cuFuncGetAttribute(int *value, int attribute, void *f) { *value = 100 + attribute; PLAIN("cuFuncGetAttribute", 1, U(f)); }
int cuFuncSetAttribute(void *f, int attribute, int value) { PLAIN("cuFuncSetAttribute", 3, U(f), U(attribute), U(value)); }
int cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, void *f, int threads, size_t shared) {
  *blocks = 3;
  PLAIN("cuOccupancyMaxActiveBlocksPerMultiprocessor", 3, U(f), U(threads), U(shared));
}

/* As cuda.h has them: a value of an attribute is 64 bytes at 8. */
struct attribute { int id; char pad[4]; union { int number; char bytes[64]; } value; };
struct config {
  unsigned grid[3], block[3], shared;
  void *stream;
  struct attribute *attributes;
  unsigned count;
};

int cuLaunchKernelEx(const struct config *c, void *f, void **parameters, void **extra) {
  int r = call("cuLaunchKernelEx", 3, U(f), U(c->stream), U(extra));
  int at = snprintf(launch, sizeof launch, "grid %u %u %u block %u %u %u shared %u", c->grid[0], c->grid[1],
                    c->grid[2], c->block[0], c->block[1], c->block[2], c->shared);
  for (unsigned i = 0; i < c->count; i++)
    at += snprintf(launch + at, sizeof launch - at, " attribute %d = %d", c->attributes[i].id,
                   c->attributes[i].value.number);
  memcpy(argument, parameters[0], 24);
  return r;
}
int cuLaunchKernel(void *f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                   unsigned shared, void *stream, void **parameters, void **extra) {
  (void)gy; (void)gz; (void)by; (void)bz; (void)shared; (void)parameters; (void)extra;
  PLAIN("cuLaunchKernel", 4, U(f), U(gx), U(bx), U(stream));
}
