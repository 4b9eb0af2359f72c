# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# Compiles the self-test on this machine, for use here or in the guest.

# prepare_self_test CACHE DEVICE DEVICE: sets the array command.
prepare_self_test() {
  local cache="$1" program source="$SOFT_ROCE_LIB/test"
  mkdir -p "$cache"
  program="$(cd "$cache" && pwd)/self-test"
  if [[ ! -x "$program" || -n "$(find "$source" -newer "$program" -print -quit)" ]]; then
    if ! command -v cc >/dev/null; then
      apt_install gcc && apt_install libc6-dev || fail "--self-test needs a C compiler (gcc, libc6-dev)"
    fi
    if ! printf '#include <infiniband/verbs.h>\n' | cc -E -xc - >/dev/null 2>&1; then
      apt_install libibverbs-dev || fail "--self-test needs infiniband/verbs.h (libibverbs-dev)"
    fi
    cc -O2 -Wall -Wextra -Werror -o "$program.$$" "$source/self-test.c" -libverbs ||
      fail "cannot compile the self-test; see above"
    mv "$program.$$" "$program"
  fi
  # shellcheck disable=SC2034 # scripts/soft-roce runs it
  command=("$program" "$2" "$3" 100)
}
