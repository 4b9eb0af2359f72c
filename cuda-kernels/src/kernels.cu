// SPDX-License-Identifier: Apache-2.0
// The kernels of a layer, in one fatbin: P, A, B, C, D of jgin/abi.h.
#include "combine_reduce.cuh"
#include "combine_send.cuh"
#include "dispatch_epilogue.cuh"
#include "dispatch_send.cuh"
#include "plan.cuh"
