#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs perftest and jgin perf in turn on one device, and prints a line for each result:
#   C|Java TEST BYTES t_min t_typical        (microseconds)
# Usage: perf-rounds.sh DEVICE ROUNDS, on a machine with RDMA devices and at least two processors. Odd
# rounds run C first, even ones Java. Fails if a tool fails, a result is missing or data were wrong.
#
# Both sides get the same processors:
#   put_lat     two that poll memory against each other and never yield, so each needs a processor: the
#               server of perftest has 0 and its client 1; the rank threads of the JVM have 0 and 1.
#   atomic_lat  the server of perftest and rank 1 of jgin sleep, so the side that measures has 1 alone.
# A JVM starts on processor 1, for with two its start is slow under TCG, and gets the other one when it
# has printed its header. It compiles in the foreground (-Xbatch) and after a fifth of the usual calls, so
# that what is timed is optimised code: with one compiler (C1) accesses to native memory are calls, and
# under TCG a put then takes twice as long.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

device="$1" rounds="$2"
readonly ITERATIONS=1000 WARMUP=5000 PORT=18515 SIZES=(8 4096)
export JGIN_JAVA_OPTS="-XX:+UseSerialGC -Xbatch -XX:CompileThresholdScaling=0.2"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
(($(nproc) >= 2)) || fail "perf-rounds needs two processors; this machine has $(nproc)"

# columns NAME TEST BYTES FILE: t_min and t_typical of the row of a table.
columns() {
  awk -v name="$1" -v test="$2" -v bytes="$3" \
    '$1 == bytes && $3 ~ /^[0-9.]+$/ { print name, test, bytes, $3, $5; n++ } END { exit n != 1 }' "$4"
}

# listening: whether perftest's server waits for its client.
listening() { ss -ltn "sport = :$PORT" | grep -c LISTEN >/dev/null; }

# perftest TOOL ARGS...: one server and one client on the same device; the table is in $work/c. Index 1
# is an rxe device's GID of RoCE v2 over IPv4; -F accepts a clock rate that the system does not tell.
perftest() {
  local tool="$1" server deadline=$((SECONDS + 30))
  shift
  taskset -c 0 timeout 60 "$tool" -d "$device" -x 1 -F "$@" >"$work/server" 2>&1 &
  server=$!
  until listening; do
    ((SECONDS < deadline)) || fail "$tool: no server after 30 s: $(cat "$work/server")"
    sleep 0.1
  done
  taskset -c 1 timeout 60 "$tool" -d "$device" -x 1 -F "$@" 127.0.0.1 >"$work/c" 2>&1 ||
    fail "$tool: client: $(cat "$work/c")"
  wait "$server" || fail "$tool: server: $(cat "$work/server")"
}

# c_result TEST BYTES TOOL ARGS...: perftest measures the clock's rate at each start, and prints "inf"
# where other work spoilt that: such a run has no result and is done again.
c_result() {
  local test="$1" bytes="$2" try
  shift 2
  for try in 1 2 3; do
    perftest "$@" -n "$ITERATIONS" -s "$bytes"
    if columns C "$test" "$bytes" "$work/c"; then return; fi
    say "  perftest printed no figures (try $try)"
  done
  fail "perftest printed no figures in three tries: $(cat "$work/c")"
}

# java TEST PROCESSORS ARGS...: the table is in $work/java.
java() {
  local test="$1" processors="$2" deadline=$((SECONDS + 120)) pid
  shift 2
  taskset -c 1 "$JGIN_ROOT/scripts/jgin" perf "$test" --fabric "verbs:device=$device" --wait spin \
    -n "$ITERATIONS" -w "$WARMUP" "$@" >"$work/java" 2>"$work/java.err" &
  pid=$!
  until grep -q '^# jgin' "$work/java" || ! kill -0 "$pid" 2>/dev/null; do
    ((SECONDS < deadline)) || fail "jgin perf $test: no header after 120 s"
    sleep 0.2
  done
  # Threads that are made from here on inherit it; the rank threads are.
  taskset -acp "$processors" "$pid" >/dev/null 2>&1 || true
  wait "$pid" || fail "jgin perf $test: status $?: $(cat "$work/java" "$work/java.err")"
  grep -q '^# OK: #wrong 0 of' "$work/java" || fail "jgin perf $test: $(cat "$work/java")"
}

c_round() {
  local bytes
  for bytes in "${SIZES[@]}"; do c_result put_lat "$bytes" ib_write_lat; done
  c_result atomic_lat 8 ib_atomic_lat -A FETCH_AND_ADD
}

java_round() {
  local bytes
  java put_lat 0,1 -s "$(IFS=,; echo "${SIZES[*]}")"
  for bytes in "${SIZES[@]}"; do
    columns Java put_lat "$bytes" "$work/java" || fail "no row of $bytes bytes: $(cat "$work/java")"
  done
  java atomic_lat 1
  columns Java atomic_lat 8 "$work/java" || fail "no row: $(cat "$work/java")"
}

for ((round = 1; round <= rounds; round++)); do
  if ((round % 2 == 1)); then
    c_round
    java_round
  else
    java_round
    c_round
  fi
done
