#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The verbs fabric over soft-RoCE, in one boot: the contract suites across two devices and on one,
# wrong inputs and lost peers, slow and broken paths, a MoE layer on 4 ranks x 4 contexts, once as it is
# and once with one lane slowed down (one signal for all contexts must be caught then, the fan-in not),
# and what jgin info shows. Skipped, and said so, with JGIN_QUICK=true (scripts/test --quick).
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../lib/common.sh"
source "$JGIN_ROOT/scripts/lib/toolchain.sh"
source "$JGIN_ROOT/scripts/lib/build.sh"
source "$JGIN_ROOT/scripts/lib/guest-tests.sh"

if [[ "${JGIN_QUICK:-}" == true ]]; then
  say "!! THE VERBS FABRIC WAS NOT RUN: --quick leaves out everything over real verbs"
  exit 0
fi

find_jdk
find_maven
find_routing_logs
build_on_demand modules/cli
build_guest_tests

routing=(--routing zipf:1.2 --tokens-per-rank 64)
if [[ -n "${JGIN_ROUTING_DIR:-}" ]]; then
  routing=(--trace "$JGIN_ROUTING_DIR/olmoe-1b-7b-layer0.jsonl")
else
  uses_generators "moe over verbs: zipf routing instead"
fi

# A process that may not lock more than 1 MiB, not even as root.
readonly MEMLOCK=1048576
moe=("$JGIN_ROOT/scripts/jgin" moe --ranks 4 --contexts 4 --fabric verbs:devices=rxe0+rxe1 --warmup 0)
# What rank 0 sends to rank 1 on context 1 arrives 50 ms later than all else.
# shellcheck disable=SC2016
slow=("${moe[@]}" --routing zipf:1.2 --experts 16 --topk 4 --tokens-per-rank 8 --hidden 64 --iterations 10
  --after-connect '"$JGIN_RXE_PATH" heal rxe0 && "$JGIN_RXE_PATH" lane 0 1 1 delay 50')
script="set -e
$(guest_tests verbs:devices=rxe0+rxe1,timeout=12,retry=5 VerbsContractTest VerbsFailureTest VerbsConnectTest \
  VerbsPeerLossTest VerbsPathTest VerbsDrainTest VerbsMemoryTest)
$(guest_tests verbs:device=rxe1,timeout=12,retry=5,ro=on,inline=0,depth=16,critical=on VerbsContractTest)
setpriv --bounding-set=-ipc_lock prlimit --memlock=$MEMLOCK \
  $(guest_tests verbs:device=rxe0,depth=16 "-Djgin.verbs.memlock=$MEMLOCK" VerbsMemoryLockTest)
$(printf '%q ' "${moe[@]}" "${routing[@]}" --hidden 256 --barrier fan-in-all,fan-in-used)
$(printf '%q ' "${slow[@]}" --allow-unsound --barrier single,flush-then-single,fan-in-all,fan-in-used) ||
  echo \"slow lane: exit \$?\"
$(printf '%q ' "${slow[@]}" --barrier order-free) 2>&1 || echo \"order-free: exit \$?\"
$(printf '%q ' "$JGIN_ROOT/scripts/jgin" info --json)"
report="$(mktemp)"
trap 'rm -f "$report"' EXIT
status=0
"$JGIN_ROOT/scripts/soft-roce" --guest --timeout 900 bash -c "$script" >"$report" || status=$?
((status == 0)) || fail "status $status: $(grep -E 'FAILED|error|=>' "$report" || tail -n 40 "$report")"
grep -E 'rows stale$|after the fence|tests (successful|aborted|failed)|^\| verbs|^[24] runs|not promised|: exit' \
  "$report"

# runs BARRIER EXIT COUNT: so many rows of the tables speak of BARRIER and say EXIT.
runs() {
  [[ "$(grep -cE "^\| verbs[^|]*\| $1 \| [0-9]+ \| $2 \|" "$report")" == "$3" ]] ||
    fail "not $3 runs of $1 ended with $2: $(cat "$report")"
}

# The first table is sound protocols on paths as they are, the second has the slow lane.
runs FAN_IN_ALL_CONTEXTS 0 2
runs FAN_IN_USED_CONTEXTS 0 2
[[ "$(grep -cE '^\| verbs.*\| FAN_IN_.*( \| 0){8} \|$' "$report")" == 4 ]] ||
  fail "the sound protocols do not all report #wrong 0: $(cat "$report")"
runs SINGLE_CONTEXT 3 1
awk -F ' *[|] *' '$3 == "SINGLE_CONTEXT" && $7 + $8 + $9 + $10 + $11 + $12 > 0 { caught = 1 }
  END { exit !caught }' "$report" || fail "a signal that overtook a slow lane was not caught: $(cat "$report")"
# A driver that copies before it acknowledges lets flushing pass; the report says that nothing promises it.
runs FLUSH_THEN_SINGLE_CONTEXT '[03]' 1
if ! grep -qE '^\| verbs.*FLUSH_THEN_SINGLE_CONTEXT \| 1 \| 3' "$report"; then
  grep -q '^FLUSH_THEN_SINGLE_CONTEXT, nothing wrong seen, and not promised: .*A3' "$report" ||
    fail "flushing showed nothing wrong, and the report does not say that nobody promises it: $(cat "$report")"
fi
grep -q '^slow lane: exit 3$' "$report" || fail "the runs with a slow lane did not end with 3: $(cat "$report")"
grep -q '^jgin: ORDER_FREE .* needs granules of at least 16 bytes .*granule 8 B' "$report" &&
  grep -q '^order-free: exit 2$' "$report" || fail "ORDER_FREE was not refused on rxe: $(cat "$report")"
for fact in '"name" : "rxe0"' '"name" : "rxe1"' '"type" : "RoCE v2"' \
  '"promises" : "A1w A1s A4 A6, granule 8 B"' '"promises" : "A1s A4 A6, granule 8 B"'; do
  grep -qF "$fact" "$report" || fail "jgin info does not show $fact: $(cat "$report")"
done
