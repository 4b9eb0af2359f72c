#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# jgin perf beside perftest over the same soft-RoCE device, in turn, in one boot: a table of both and
# their ratio. It fails when a tool fails, a result is missing or data were wrong, and never for a time.
# Argument: number of rounds (3).
#
# Times under TCG mean nothing by themselves: only ratios do, and the least times more than the typical
# ones, for the host's other work stops the guest's processors. How both sides are treated alike:
# scripts/lib/perf-rounds.sh.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../lib/common.sh"
source "$JGIN_ROOT/scripts/lib/toolchain.sh"
source "$JGIN_ROOT/scripts/lib/build.sh"

rounds="${1:-3}"
[[ "$rounds" =~ ^[1-9][0-9]?$ ]] || fail "rounds is '$rounds'; it must be 1 to 99"
find_jdk
build_on_demand modules/cli

results="$(mktemp)"
trap 'rm -f "$results"' EXIT
"$JGIN_ROOT/scripts/soft-roce" --guest --processors 2 --timeout "$((300 + 300 * rounds))" \
  "$JGIN_ROOT/scripts/lib/perf-rounds.sh" rxe0 "$rounds" >"$results" ||
  fail "status $?: $(cat "$results")"

# A row for each test and size: the median of the rounds with the least and the most, and the ratio of
# the medians.
awk -v rounds="$rounds" '
  function insert(list, n, value,    i) {
    for (i = n; i > 1 && list[i - 1] > value; i--) list[i] = list[i - 1]
    list[i] = value
  }
  function summary(key,    i, n, parts, list) {
    n = split(values[key], parts, " ")
    if (n != rounds) { missing = missing " " key; return "missing" }
    for (i = 1; i <= n; i++) insert(list, i, parts[i] + 0)
    median = n % 2 ? list[(n + 1) / 2] : (list[n / 2] + list[n / 2 + 1]) / 2
    return sprintf("%.2f [%.2f, %.2f]", median, list[1], list[n])
  }
  function compared(what,    c, java, of_c) {
    c = summary("C " row " " what)
    of_c = median
    java = summary("Java " row " " what)
    return c " | " java " | " sprintf("%.2f", of_c > 0 ? median / of_c : 0)
  }
  {
    row = $2 " " $3
    if (!(row in seen)) { seen[row] = 1; order[++count] = row }
    values[$1 " " row " min"] = values[$1 " " row " min"] " " $4
    values[$1 " " row " typical"] = values[$1 " " row " typical"] " " $5
  }
  END {
    print "| test | bytes | C t_min, us | Java t_min, us | ratio | C t_typical, us | Java t_typical, us | ratio |"
    print "|---|---|---|---|---|---|---|---|"
    for (i = 1; i <= count; i++) {
      row = order[i]
      split(row, cell, " ")
      print "| " cell[1] " | " cell[2] " | " compared("min") " | " compared("typical") " |"
    }
    if (missing != "") { print "missing:" missing; exit 1 }
    if (count != 3) { print "rows: " count ", expected 3"; exit 1 }
  }' "$results" || fail "a result is missing: $(cat "$results")"
