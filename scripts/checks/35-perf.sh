#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Each test of `jgin perf` over the emulated carrier, few iterations: exit status, columns, and the JSON
# document read by another program. Says nothing about speed.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../lib/common.sh"

few=(-n 20 -w 20 --wait backoff)
tests=('put_lat -s 4K' 'put_bw -s 64K -t 8' signal_lat atomic_lat
  'barrier_lat --ranks 3 --contexts 2 --barrier fan-in-all,fan-in-used,order-free --puts')

for line in "${tests[@]}"; do
  read -r -a words <<<"$line"
  out="$("$JGIN_ROOT/scripts/jgin" perf "${words[@]}" "${few[@]}")" || fail "$line: status $?: $out"
  rows="$(grep -cE '^ +([0-9]+|[A-Z_]+) +20 +[0-9]+\.' <<<"$out")" || fail "$line: no row: $out"
  case "$line" in
    barrier_lat*) [[ "$rows" == 3 ]] ;;
    *) [[ "$rows" == 1 ]] ;;
  esac || fail "$line: $rows rows: $out"
  grep -q '^# OK: #wrong 0 of ' <<<"$out" || fail "$line: no verdict: $out"
done

# What is refused, and that it is status 2.
status=0
out="$("$JGIN_ROOT/scripts/jgin" perf put_lat -s 0 2>&1)" || status=$?
[[ "$status" == 2 && "$out" == *"more than 0"* ]] || fail "size 0: status $status: $out"

if ! command -v python3 >/dev/null; then
  say "!! NO JSON DOCUMENT WAS READ: there is no python3 on the PATH"
  exit 0
fi
for line in "${tests[@]}"; do
  read -r -a words <<<"$line"
  "$JGIN_ROOT/scripts/jgin" perf "${words[@]}" "${few[@]}" --json | python3 -c '
import json, sys
run = json.load(sys.stdin)
assert run["schema"] == "jgin.perf/1" and run["exit_code"] == 0 and run["stopped"] is None, run
assert run["test"] == sys.argv[1] and run["setting"]["emulated"], run
assert run["verification"]["compared"] > 0 and run["verification"]["wrong"] == 0, run
for row in run["rows"]:
    assert row["iterations"] == 20, row
    if sys.argv[1] == "put_bw":
        assert row["peak_mb_per_s"] >= row["average_mb_per_s"] > 0, row
    else:
        assert 0 < row["min_ns"] <= row["typical_ns"] <= row["max_ns"], row
' "${words[0]}" || fail "$line: the document is wrong"
done
