#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every suite is in JMH's list (which is silently empty when annotation processing is off) and one
# benchmark of each runs. Says nothing about speed.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../lib/common.sh"

list="$("$JGIN_ROOT/scripts/bench" jmh -l)"
for suite in BarrierBench.epoch EpBench.layer LaneBench.signal ProxyBench.drain; do
  grep -q "dev.jgin.bench.$suite" <<<"$list" || fail "JMH does not list $suite: $list"
done

out="$("$JGIN_ROOT/scripts/bench" jmh \
  'BarrierBench.epoch|EpBench.layer|LaneBench.signal|ProxyBench.drain' \
  -f 0 -wi 0 -i 1 -r 10ms -foe true \
  -p protocol=FAN_IN_ALL_CONTEXTS -p contexts=4 -p ranks=2 -p tokensPerRank=1 -p mode=REDUCED \
  -p bytes=64 2>&1)" ||
  fail "a benchmark failed: $out"
for suite in BarrierBench.epoch EpBench.layer LaneBench.signal ProxyBench.drain; do
  grep -qE "^$suite .* avgt " <<<"$out" || fail "$suite printed no figure: $out"
done
