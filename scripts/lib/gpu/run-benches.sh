# SPDX-License-Identifier: Apache-2.0
# The benchmarks that need a GPU, in the checkout and in the bundle alike. Sourced by a shell that may be no
# bash, and may find no tool at all. BENCHES names the list, and the function gpu_java runs a main class.

# bench_arguments ARGS...: shows the list if asked, and refuses names that are not in it.
bench_arguments() {
  for wanted in "$@"; do
    case "$wanted" in
      --list)
        while read -r name main arguments; do
          case "$name" in '' | '#'*) continue ;; esac
          printf '%-24s %s %s\n' "$name" "$main" "$arguments"
        done <"$BENCHES"
        exit 0
        ;;
    esac
    found=false
    while read -r name main arguments; do
      if [ "$name" = "$wanted" ] && [ "${name#\#}" = "$name" ]; then found=true; fi
    done <"$BENCHES"
    if ! $found; then
      printf 'error: no benchmark %s; --list shows those there are\n' "$wanted" >&2
      exit 1
    fi
  done
}

# bench_one NAME: runs it, counts it. Its arguments are split at blanks.
bench_one() {
  while read -r name main arguments <&3; do
    if [ "$name" != "$1" ]; then continue; fi
    printf '== %s: %s %s\n' "$name" "$main" "$arguments"
    # shellcheck disable=SC2086
    if gpu_java "$main" $arguments; then passed=$((passed + 1)); else
      failed=$((failed + 1))
      printf '!! FAILED %s\n' "$name"
    fi
  done 3<"$BENCHES"
}

# bench_run NAMES...: runs these, or all. The status is this script's.
bench_run() {
  passed=0
  failed=0
  if [ $# -eq 0 ]; then
    while read -r each rest <&4; do
      case "$each" in '' | '#'*) continue ;; esac
      bench_one "$each"
    done 4<"$BENCHES"
  else
    for each in "$@"; do bench_one "$each"; done
  fi
  printf '%d benchmarks ended well, %d failed\n' "$passed" "$failed"
  [ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
}
