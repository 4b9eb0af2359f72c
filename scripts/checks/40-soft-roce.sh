#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# RDMA devices in a guest: the self-test passes, exit statuses and output come back, the host's files
# stay as they are, nothing is left running, and what goes wrong is explained. Skipped, and said so,
# with JGIN_QUICK=true (scripts/test --quick).
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../lib/common.sh"

soft_roce="$JGIN_ROOT/scripts/soft-roce"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

# refuses WANT ARGS...: exit 125 and a message that says WANT.
refuses() {
  local want="$1" status=0 message
  shift
  message="$("$soft_roce" "$@" 2>&1)" || status=$?
  [[ "$status" == 125 && "$message" == *"$want"* ]] ||
    fail "soft-roce $*: status $status and '$message' instead of 125 and '$want'"
}

refuses 'no command given'
refuses 'unknown option --no-such' --no-such true
refuses '--timeout is 0; it must be 1 to' --timeout 0 true
refuses '--devices is ten; it must be 1 to 9' --devices ten true
refuses '--memory needs a value' --memory
refuses '--accelerator is hvf' --accelerator hvf true
if ! compgen -G '/sys/class/infiniband/*' >/dev/null; then
  refuses 'no RDMA device in /sys/class/infiniband' --native true
fi
[[ "$("$soft_roce" --guest --dry-run true 2>/dev/null)" == *qemu-system-x86_64*readonly=on* ]] ||
  fail "--dry-run does not show how the guest is booted"

if [[ "${JGIN_QUICK:-}" == true ]]; then
  say "!! NO GUEST WAS BOOTED: --quick leaves out everything over real verbs"
  exit 0
fi

"$soft_roce" --guest --self-test

# One boot for what a caller relies on.
mkdir "$work/kept"
status=0
cd "$work"
# shellcheck disable=SC2016
GIVEN='a "b" $c' "$soft_roce" --guest --env GIVEN bash -c '
  echo "out $GIVEN"; echo err >&2; echo changed >"$0/written"; rm -rf "$0/kept"
  pwd; printf "\001\000\377" | od -An -tx1
  "$1" --native --self-test >&2; exit 42' "$work" "$soft_roce" >"$work/out" 2>"$work/err" || status=$?
cd "$JGIN_ROOT"
[[ "$status" == 42 ]] || fail "exit 42 in the guest came back as $status: $(cat "$work/err")"
[[ "$(cat "$work/out")" == "out a \"b\" \$c"$'\n'"$work"$'\n'" 01 00 ff" ]] ||
  fail "the guest's output came back as: $(cat "$work/out")"
grep -qx err "$work/err" || fail "the guest's standard error did not come back: $(cat "$work/err")"
grep -q 'running on this machine, which has rxe0 rxe1' "$work/err" && grep -qx 'self-test: OK' "$work/err" ||
  fail "in the guest, which has devices, --native does not use them: $(cat "$work/err")"
[[ ! -e "$work/written" && -d "$work/kept" ]] || fail "the guest changed a file of this machine"

# Time out; and nothing is left behind.
status=0
TMPDIR="$work" "$soft_roce" --guest --timeout 3 sleep 60 2>"$work/err" || status=$?
[[ "$status" == 124 ]] || fail "no time is left, and the status is $status: $(cat "$work/err")"
! compgen -G "$work/jgin-soft-roce.*" >/dev/null || fail "a job folder was left behind"
for process in /proc/[0-9]*; do
  line="$(tr '\0' ' ' 2>/dev/null <"$process/cmdline")" || continue
  [[ "$line" != *"$work/jgin-soft-roce"* ]] || fail "a process was left behind: $line"
done
