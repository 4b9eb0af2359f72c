#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Dumps of several shapes are checked by a program that shares nothing with jgin, with NumPy where it
# is installed and without it everywhere; and a dump with one changed byte is refused.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../lib/common.sh"

if ! command -v python3 >/dev/null; then
  say "!! NO DUMP WAS CHECKED: there is no python3 on the PATH"
  exit 0
fi

work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
checker="$JGIN_ROOT/scripts/checks/check_dump.py"
ways=(--plain)
if python3 -c 'import numpy' 2>/dev/null; then ways+=(''); else
  say "  NumPy is not installed: dumps are read with struct alone"
fi

# dump NAME ARGS...
dump() {
  local name="$1" way
  shift
  "$JGIN_ROOT/scripts/jgin" moe --ranks 4 --tokens-per-rank 6 --hidden 144 --iterations 3 --warmup 0 \
    --dump-iterations 3 --dump "$work/$name" "$@" >"$work/log" || fail "$name: $(cat "$work/log")"
  for way in "${ways[@]}"; do
    python3 "$checker" ${way:+"$way"} "$work/$name" || fail "$name: the dump is wrong"
  done
}

dump expanded --align 4 --barrier fan-in-used
dump fp8 --dtype fp8 --scales ue8m0 --combine reduced --routing zipf:1.1
dump one-row --dtype fp16 --layout one-row
dump uneven --dtype fp32 --streams 2 --experts 7 --topk 3
dump order-free --fabric emulated:adversarial,a4=off --barrier order-free

# Positive control: one flipped bit in what came back.
victim="$work/expanded/iteration-0001/rank-0002/combined.npy"
python3 - "$victim" <<'FLIP'
import sys
data = bytearray(open(sys.argv[1], "rb").read())
data[-1] ^= 1
open(sys.argv[1], "wb").write(data)
FLIP
for way in "${ways[@]}"; do
  status=0
  found="$(python3 "$checker" ${way:+"$way"} "$work/expanded")" || status=$?
  [[ "$status" == 1 && "$found" == *"iteration 1, rank 2: combined token 5"* ]] ||
    fail "a flipped bit was not found (status $status): $found"
done
say "  a flipped bit is found"
