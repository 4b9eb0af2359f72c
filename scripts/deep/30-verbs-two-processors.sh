#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Fences verbs lanes while packets pour in, in a guest with two processors: there a task of the driver
# runs beside the thread that fences, and what it holds must neither land nor be counted after the drain.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../lib/common.sh"
source "$JGIN_ROOT/scripts/lib/toolchain.sh"
source "$JGIN_ROOT/scripts/lib/build.sh"
source "$JGIN_ROOT/scripts/lib/guest-tests.sh"

find_jdk
find_maven
build_guest_tests
"$JGIN_ROOT/scripts/soft-roce" --guest --processors 2 --timeout 900 bash -c \
  "$(guest_tests verbs:devices=rxe0+rxe1,timeout=12,retry=5 -Djgin.verbs.drains=300 VerbsDrainTest)"
