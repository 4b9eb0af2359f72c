#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The verbs fabric over soft-RoCE, in one boot: the contract suites across two devices and on one,
# wrong inputs and lost peers, slow and broken paths, a MoE layer on 4 ranks x 4 contexts, and what jgin
# info shows. Skipped, and said so, with JGIN_QUICK=true (scripts/test --quick).
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../lib/common.sh"
source "$JGIN_ROOT/scripts/lib/toolchain.sh"
source "$JGIN_ROOT/scripts/lib/build.sh"

if [[ "${JGIN_QUICK:-}" == true ]]; then
  say "!! THE VERBS FABRIC WAS NOT RUN: --quick leaves out everything over real verbs"
  exit 0
fi

find_jdk
find_maven
find_routing_logs
build_on_demand modules/cli
run_maven -q -Dorg.slf4j.simpleLogger.defaultLogLevel=warn -pl modules/fabric-verbs -am -DskipTests \
  package >&2 || fail "the build failed; see above"

class_path="$JGIN_ROOT/modules/fabric-verbs/target/test-lib/*"
for module in gin bindings fabric-verbs; do
  class_path+=":$JGIN_ROOT/modules/$module/target/classes:$JGIN_ROOT/modules/$module/target/test-classes"
done

routing=(--routing zipf:1.2 --tokens-per-rank 64)
if [[ -n "${JGIN_ROUTING_DIR:-}" ]]; then
  routing=(--trace "$JGIN_ROUTING_DIR/olmoe-1b-7b-layer0.jsonl")
else
  uses_generators "moe over verbs: zipf routing instead"
fi

# guest_tests FABRIC [-D...] CLASS...: as text, to run in the guest. A device that is missing there fails.
guest_tests() {
  local fabric="$1" properties=()
  shift
  while [[ "$1" == -D* ]]; do
    properties+=("$1")
    shift
  done
  printf '%q ' "$JAVA_HOME/bin/java" -ea '@OPTIONS@' --enable-native-access=ALL-UNNAMED \
    -Djgin.verbs.required=true ${properties[@]+"${properties[@]}"} "-Djgin.verbs.fabric=$fabric" -cp "$class_path" \
    dev.jgin.fabric.verbs.GuestTests "$@"
}

# A process that may not lock more than 1 MiB, not even as root.
readonly MEMLOCK=1048576
script="set -e
$(guest_tests verbs:devices=rxe0+rxe1,timeout=12,retry=5 VerbsContractTest VerbsFailureTest VerbsPathTest \
  VerbsMemoryTest)
$(guest_tests verbs:device=rxe1,timeout=12,retry=5,ro=on,inline=0,depth=16,critical=on VerbsContractTest)
setpriv --bounding-set=-ipc_lock prlimit --memlock=$MEMLOCK \
  $(guest_tests verbs:device=rxe0,depth=16 "-Djgin.verbs.memlock=$MEMLOCK" VerbsMemoryLockTest)
$(printf '%q ' "$JGIN_ROOT/scripts/jgin" moe "${routing[@]}" --ranks 4 --contexts 4 --hidden 256 \
  --fabric verbs:devices=rxe0+rxe1 --barrier fan-in-all,fan-in-used --warmup 0)
$(printf '%q ' "$JGIN_ROOT/scripts/jgin" info --json)"
script="${script//@OPTIONS@/\$JGIN_JAVA_OPTS}"
# The guest sets JGIN_JAVA_OPTS to what suits a JVM there.
report="$(mktemp)"
trap 'rm -f "$report"' EXIT
status=0
"$JGIN_ROOT/scripts/soft-roce" --guest --timeout 900 bash -c "$script" >"$report" || status=$?
((status == 0)) || fail "status $status: $(grep -E 'FAILED|error|=>' "$report" || tail -n 40 "$report")"
grep -E 'rows stale$|tests (successful|aborted|failed)|^\| verbs|^2 runs' "$report"
[[ "$(grep -c '| 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 |$' "$report")" == 2 ]] ||
  fail "the MoE runs do not both report #wrong 0: $(cat "$report")"
for fact in '"name" : "rxe0"' '"name" : "rxe1"' '"type" : "RoCE v2"' \
  '"promises" : "A1w A1s A4 A6, granule 8 B"' '"promises" : "A1s A4 A6, granule 8 B"'; do
  grep -qF "$fact" "$report" || fail "jgin info does not show $fact: $(cat "$report")"
done
