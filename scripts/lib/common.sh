# SPDX-License-Identifier: Apache-2.0
# Shared by every script here: the repository's root, messages, usage.
# Sourced, never run. Names in capitals are exported for checks; the rest is local to the script.

JGIN_ROOT="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
export JGIN_ROOT

# All messages go to standard error: standard output belongs to jgin (`--json` must stay parseable).
say() { printf '%s\n' "$*" >&2; }

fail() {
  say "error: $*"
  exit 1
}

# Prints the comment block under the shebang (and the license line) of the running script as its help.
show_help() {
  awk 'NR <= 2 { next } /^#/ { sub(/^# ?/, ""); print; next } { exit }' "$0"
}

# help_if_asked ARGS...: shows the help and leaves if the first argument asks for it.
help_if_asked() {
  case "${1:-}" in
    -h | --help)
      show_help
      exit 0
      ;;
  esac
}

seconds_since() { awk -v from="$1" -v to="$(date +%s.%N)" 'BEGIN { printf "%.1f", to - from }'; }

# Real router logs are not part of the repository. Exports JGIN_ROUTING_DIR as an absolute path if
# they are there (from the variable itself, else from beside the checkout), and unsets it otherwise.
find_routing_logs() {
  local folder="${JGIN_ROUTING_DIR:-$JGIN_ROOT/../shared/data/routing}"
  if compgen -G "$folder/*.jsonl" >/dev/null; then
    JGIN_ROUTING_DIR="$(cd "$folder" && pwd)"
    export JGIN_ROUTING_DIR
  else
    if [[ -n "${JGIN_ROUTING_DIR:-}" ]]; then
      fail "JGIN_ROUTING_DIR=$JGIN_ROUTING_DIR holds no *.jsonl router log; unset it to use generators"
    fi
    unset JGIN_ROUTING_DIR
  fi
}

# uses_generators WHAT: a check calls this where it would have read a router log. The list is printed
# at the end of scripts/test, so that a green run never hides what it did not read.
uses_generators() {
  say "  !! no router logs: $*"
  if [[ -n "${JGIN_NOTES:-}" ]]; then
    printf '%s\n' "$*" >>"$JGIN_NOTES"
  fi
}

# run_each FOLDER: runs every executable FOLDER/*.sh in name order and reports the time of each.
# Sets PASSED and FAILED (names).
run_each() {
  local script name begin
  PASSED=()
  FAILED=()
  for script in "$1"/*.sh; do
    [[ -f "$script" ]] || continue
    name="$(basename "$script")"
    if [[ ! -x "$script" ]]; then
      say "FAILED  $name is not executable (chmod +x)"
      FAILED+=("$name")
      continue
    fi
    say "== $name"
    begin="$(date +%s.%N)"
    if (cd "$JGIN_ROOT" && "$script"); then
      PASSED+=("$name")
      say "ok      $name ($(seconds_since "$begin") s)"
    else
      FAILED+=("$name")
      say "FAILED  $name ($(seconds_since "$begin") s)"
    fi
  done
}
