/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The C twin of dev.jgin.gpu.bench.CallBench: the same calls on the same kernels in the same pattern.
 * Usage: twin KERNELS.ptx BATCHES CALLS ROUNDS; prints a name and nanoseconds a line.
 */
#include <cuda.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define CHECK(call) \
  do { \
    CUresult r = (call); \
    if (r != CUDA_SUCCESS) { fprintf(stderr, "%s: %d\n", #call, r); exit(1); } \
  } while (0)

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1e9 + t.tv_nsec;
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static CUstream stream;
static CUfunction idle, ping;
static CUlaunchConfig config;
static CUlaunchAttribute attribute;
static char argument[64];
static void *parameters[] = {argument};

static void launch_ex(void) { CHECK(cuLaunchKernelEx(&config, idle, parameters, NULL)); }
static void launch(void) { CHECK(cuLaunchKernel(idle, 1, 1, 1, 32, 1, 1, 0, stream, parameters, NULL)); }
static void query(void) { CHECK(cuStreamQuery(stream)); }

static void measure(const char *name, void (*call)(void), int batches, int calls) {
  double *nanos = malloc(batches * sizeof *nanos);
  for (int b = 0; b < batches; b++) {
    double begin = now();
    for (int i = 0; i < calls; i++) call();
    nanos[b] = (now() - begin) / calls;
    CHECK(cuCtxSynchronize());
  }
  qsort(nanos, batches, sizeof *nanos, compare);
  printf("%s %.2f\n", name, nanos[batches / 2]);
  free(nanos);
}

static void ping_pong(uint64_t rounds) {
  uint64_t *host;
  CUdeviceptr device;
  CHECK(cuMemHostAlloc((void **)&host, 4096, CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP));
  CHECK(cuMemHostGetDevicePointer(&device, host, 0));
  memset(host, 0, 4096);
  struct { uint64_t bell, reply, rounds, out; } a = {device, device + 512, rounds, device + 1024};
  void *pointers[] = {&a};
  CHECK(cuLaunchKernel(ping, 1, 1, 1, 1, 1, 1, 0, stream, pointers, NULL));
  for (uint64_t i = 1; i <= rounds;) {
    if (__atomic_load_n(&host[0], __ATOMIC_ACQUIRE) == i) {
      __atomic_store_n(&host[64], i, __ATOMIC_RELEASE);
      i++;
    }
  }
  CHECK(cuStreamSynchronize(stream));
  printf("ping %.2f\n", (double)host[128] / rounds);
  CHECK(cuMemFreeHost(host));
}

int main(int count, char **words) {
  if (count != 5) return 2;
  FILE *file = fopen(words[1], "rb");
  char *text = calloc(1, 1 << 20);
  if (!file || fread(text, 1, (1 << 20) - 1, file) == 0) return 2;
  int batches = atoi(words[2]), calls = atoi(words[3]), rounds = atoi(words[4]);
  CUdevice device;
  CUcontext context;
  CUmodule module;
  CHECK(cuInit(0));
  CHECK(cuDeviceGet(&device, 0));
  CHECK(cuDevicePrimaryCtxRetain(&context, device));
  CHECK(cuCtxSetCurrent(context));
  CHECK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  CHECK(cuModuleLoadData(&module, text));
  CHECK(cuModuleGetFunction(&idle, module, "idle"));
  CHECK(cuModuleGetFunction(&ping, module, "ping"));
  config.gridDimX = config.gridDimY = config.gridDimZ = 1;
  config.blockDimX = 32;
  config.blockDimY = config.blockDimZ = 1;
  config.hStream = stream;
  measure("warm-up", launch_ex, batches, calls);
  measure("launch-ex", launch_ex, batches, calls);
  attribute.id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION;
  attribute.value.programmaticStreamSerializationAllowed = 1;
  config.attrs = &attribute;
  config.numAttrs = 1;
  measure("launch-dependent", launch_ex, batches, calls);
  measure("launch-plain", launch, batches, calls);
  measure("stream-query", query, batches, calls);
  ping_pong(rounds);
  return 0;
}
