# SPDX-License-Identifier: Apache-2.0
# Runs every barrier protocol on carriers of falling strength and holds the outcome against what the
# protocols are known to need. Needs common.sh.

# 1 KiB rows over granules of 64 bytes: a row can arrive in part.
readonly ADVERSARY=(--ranks 8 --contexts 4 --tokens-per-rank 2 --iterations 200 --hidden 512
  --allow-unsound --barrier all)

# positive_control SEEDS: fails unless every run of every carrier ends as it must.
positive_control() {
  local seeds="$1" unsound="SINGLE_CONTEXT FLUSH_THEN_SINGLE_CONTEXT"
  sweep "$seeds" emulated:adversarial "$unsound"
  # Writes of a lane in any order: the signal still comes after them, so the fan-in stays sound. Rows
  # arrive torn now, which a header does not show and a checksum does.
  sweep "$seeds" emulated:adversarial,a1w=off "$unsound" --audit
  # A signal that does not wait for its lane's writes: only tags in every line help.
  sweep "$seeds" emulated:adversarial,a4=off "$unsound FAN_IN_ALL_CONTEXTS FAN_IN_USED_CONTEXTS"
}

# sweep SEEDS FABRIC UNSOUND [--audit]: every run of a protocol in UNSOUND must end with 3, every other
# with 0; with --audit each of the former must have seen torn rows.
sweep() {
  local seeds="$1" fabric="$2" unsound="$3" audit="${4:-}" out status=0 runs
  out="$("$JGIN_ROOT/scripts/jgin" moe "${ADVERSARY[@]}" --fabric "$fabric" --seeds "$seeds" $audit)" ||
    status=$?
  printf '%s\n\n' "$out"
  ((status == 3)) || fail "$fabric: the sweep ended with $status instead of 3"
  runs="$((5 * (${seeds#*..} - ${seeds%..*} + 1)))"
  awk -F ' *[|] *' -v unsound=" $unsound " -v runs="$runs" -v torn="${audit:+1}" '
    $2 ~ /^emulated:/ {
      rows++
      expected = index(unsound, " " $3 " ") ? 3 : 0
      caught = $7 + $8 + $9 + $10 + $11 + $12
      if ($5 != expected || (expected == 3) != (caught > 0)) {
        print $3 ", seed " $4 ": exit " $5 " with " caught " violations, expected exit " expected
        bad++
      }
      if (torn && expected == 3 && $12 == 0) {
        print $3 ", seed " $4 ": --audit saw no torn row"
        bad++
      }
    }
    END {
      if (rows != runs) { print rows + 0 " rows in the table, expected " runs; bad++ }
      exit bad > 0
    }' <<<"$out" >&2 || fail "$fabric: see above"
}
