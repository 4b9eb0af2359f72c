#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Dispatch and combine on real router logs: OLMoE, Qwen, and the warm-up log of each, in which every
# token goes to the same experts. Every value is compared; nothing may be wrong. Without logs,
# generators of the same shape stand in, and the run says so.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../lib/common.sh"
find_routing_logs

team=(--ranks 8 --contexts 4 --hidden 2048 --dtype bf16)

# layer NAME ARGS...: runs one layer and demands exit 0 and the sentence that says what was compared.
layer() {
  local name="$1" out status=0
  shift
  out="$("$JGIN_ROOT/scripts/jgin" moe "${team[@]}" "$@")" || status=$?
  ((status == 0)) || fail "$name: exit $status instead of 0: $out"
  grep -q '^# OK: no violation, #wrong 0; [1-9][0-9]* values compared bit by bit$' <<<"$out" ||
    fail "$name: exit 0, but the report does not say that nothing was wrong: $out"
  grep -E '^# (routing|run|expert load|OK)|^#? +' <<<"$out"
}

if [[ -n "${JGIN_ROUTING_DIR:-}" ]]; then
  for log in olmoe-1b-7b-layer0 olmoe-1b-7b-layer0-warmup \
    qwen1.5-moe-a2.7b-layer0 qwen1.5-moe-a2.7b-layer0-warmup; do
    [[ -f "$JGIN_ROUTING_DIR/$log.jsonl" ]] || fail "$JGIN_ROUTING_DIR holds no $log.jsonl"
    layer "$log" --trace "$JGIN_ROUTING_DIR/$log.jsonl"
  done
else
  uses_generators "moe on router logs: zipf and hot routing of 64 and 60 experts instead"
  layer "zipf, 64 experts" --routing zipf:0.8 --experts 64 --topk 8 --iterations 3
  layer "hot, 64 experts" --routing hot --experts 64 --topk 8 --iterations 3
  layer "zipf, 60 experts" --routing zipf:0.8 --experts 60 --topk 4 --iterations 3
  layer "hot, 60 experts" --routing hot --experts 60 --topk 4 --iterations 3
fi
