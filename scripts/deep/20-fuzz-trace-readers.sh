#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Searches for input that a trace reader neither reads nor refuses: one minute for each fuzz target.
# What it finds is written to modules/cli/src/test/resources and fails from then on in mvn test.
set -euo pipefail
source scripts/lib/common.sh
source scripts/lib/toolchain.sh
source scripts/lib/build.sh

find_jdk
find_maven
export JAZZER_FUZZ=1
log="$(mktemp)"
trap 'rm -f "$log"' EXIT
# A run fuzzes one target only. Hooks are off where seeds are merely replayed, and coverage with them.
for target in shouldReadOrRefuseAnyLog shouldReadOrRefuseAnyArray; do
  run_maven -pl modules/cli -am test -Dtest="TraceFuzzTest#$target" -Djazzer.hooks=true \
    -Dsurefire.failIfNoSpecifiedTests=false 2>&1 | tee "$log"
  grep -q 'DONE *cov:' "$log" || fail "$target ran without coverage, so it searched for nothing"
done
