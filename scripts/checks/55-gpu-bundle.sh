#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The bundle for a bare machine with a GPU: it is small enough, and runs with no JDK, no tool and no
# environment. Without a GPU its tests of one fail: nothing is skipped. What needs a GPU is not run here.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../lib/common.sh"

if [[ "$(uname -sm)" != "Linux x86_64" ]]; then
  say "!! THE GPU BUNDLE WAS NOT MADE: it is for Linux on x86_64, this is $(uname -sm)"
  exit 0
fi

work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
archive="$("$JGIN_ROOT/scripts/gpu-bundle" "$work/first")"
[[ "$archive" == "$work/first/jgin-gpu.tar.gz" ]] || fail "it names $archive"
(($(wc -c <"$archive") <= 45 * 1024 * 1024)) || fail "$archive is larger than 45 MiB"
second="$("$JGIN_ROOT/scripts/gpu-bundle" "$work/second")"
cmp "$archive" "$second" || fail "the same sources gave other bytes"

# A folder with a blank, which is where paths break.
mkdir "$work/un packed"
tar xf "$archive" -C "$work/un packed"
bundle="$work/un packed/jgin-gpu"
[[ "$(ls "$bundle/native")" == libJCudaDriver-*-linux-x86_64.so ]] ||
  fail "native holds more or less than JCuda's driver library: $(ls "$bundle/native")"
rm -rf "$work/first" "$work/second"

# bare COMMAND ARGS...: with no variable set and not one command to be found. Sets `out` and `status`.
bare() {
  status=0
  out="$(cd / && env -i PATH=/nonexistent "$bundle/bin/$1" "${@:2}" 2>&1)" || status=$?
}

bare jgin --version
[[ "$status" == 0 && "$out" == "jgin "*$'\n'"Java "* && "$(wc -l <<<"$out")" == 2 ]] ||
  fail "bin/jgin --version: status $status: $out"
bare jgin doctor
[[ "$status" == 0 && "$out" == *" OK, "*" MISSING, "*" UNKNOWN" ]] || fail "bin/jgin doctor: status $status: $out"
[[ "$out" != *"not allowed to"* ]] || fail "bin/jgin may not call C: $out"
if [[ -f "$JGIN_ROOT/cuda-kernels/build/dev/jgin/gpu/kernels.fatbin" ]]; then
  [[ "$out" == *"OK       kernels "* ]] || fail "the kernels were built and are not in the bundle: $out"
else
  say "!! THE BUNDLE HOLDS NO KERNELS: there is no nvcc here"
fi
gpu=false
if [[ "$out" == *"OK       gpu.cuda"* ]]; then gpu=true; fi
bare jgin moe --ranks 2 --contexts 2 --tokens-per-rank 4 --hidden 256 --iterations 2 --warmup 0
[[ "$status" == 0 ]] || fail "bin/jgin moe: status $status: $out"

bare gpu-test --any-tag TaggedRunTest TeamTest
[[ "$status" == 0 && "$out" == *" passed, 0 failed, 0 skipped"* ]] || fail "bin/gpu-test --any-tag: status $status: $out"
if ! $gpu; then
  bare gpu-test
  [[ "$status" == 1 ]] || fail "without a GPU bin/gpu-test ended with status $status: $out"
  [[ "$out" == *" 0 skipped"* ]] || fail "without a GPU tests of one were skipped, not failed: $out"
fi

bare gpu-bench --list
[[ "$status" == 0 ]] || fail "bin/gpu-bench --list: status $status: $out"
while read -r name main _; do
  [[ -n "$name" ]] || continue
  compgen -G "$bundle/rooms/*/*classes/${main//.//}.class" >/dev/null ||
    fail "the benchmark $name names $main, which is no class of the bundle"
done <<<"$out"
bare gpu-bench no-such-benchmark
[[ "$status" == 1 && "$out" == "error: no benchmark "* ]] || fail "bin/gpu-bench: status $status: $out"
if ! $gpu; then say "!! NOTHING RAN ON A GPU: there is none here; scripts/gpu-test on a machine with one"; fi
