#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every script parses, explains itself, and refuses an argument that it does not know.
set -euo pipefail
source scripts/lib/common.sh

for script in scripts/lib/*.sh scripts/lib/*/*.sh scripts/checks/*.sh scripts/deep/*.sh; do
  if [[ -f "$script" ]]; then bash -n "$script"; fi
done
for script in scripts/lib/gpu/{jgin,gpu-test,gpu-bench}; do sh -n "$script"; done
for name in demo test verify-deep bench soft-roce generate-bindings build-kernels gpu-bundle gpu-test gpu-bench; do
  bash -n "scripts/$name"
  [[ "$("scripts/$name" --help)" == *"Usage"* ]] || fail "scripts/$name --help shows no usage"
done
for name in demo test verify-deep soft-roce generate-bindings build-kernels gpu-bundle gpu-test gpu-bench; do
  if "scripts/$name" --no-such-option 2>/dev/null; then
    fail "scripts/$name took an option that it does not have"
  fi
done
