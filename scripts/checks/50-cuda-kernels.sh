#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The device headers' host half under test by the C++ compiler, with and without sanitizers; the kernels
# compiled by nvcc where there is one, without spills. What needs a GPU is cuda-kernels/test/gpu, by hand.
set -euo pipefail
source scripts/lib/common.sh

readonly TESTS=cuda-kernels/test/host
readonly WARNINGS=(-Wall -Wextra -Wpedantic -Wshadow -Werror)

check_host_half() {
  local folder="$1" flags="$2"
  # shellcheck disable=SC2086 # words
  "${CXX:-c++}" -std=c++20 -O1 -g "${WARNINGS[@]}" $flags -ffp-contract=off -pthread \
    -I cuda-kernels/include -o "$folder/host-tests" "$TESTS"/*.cc
  "$folder/host-tests" || fail "a host test of the device headers failed ($flags)"
}

if ! command -v "${CXX:-c++}" >/dev/null; then
  say "  !! DEVICE HEADERS NOT TESTED: no C++ compiler (c++); install g++"
else
  folder="$(mktemp -d)"
  trap 'rm -rf "$folder"' EXIT
  "${CC:-cc}" -std=c11 "${WARNINGS[@]}" -I cuda-kernels/include -c -o "$folder/abi.o" "$TESTS/abi_test.c"
  check_host_half "$folder" "-fsanitize=address,undefined"
  check_host_half "$folder" "-fsanitize=thread"
fi

scripts/build-kernels
