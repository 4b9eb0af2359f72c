#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The generated bindings are what jextract makes of the argument files. Needs jextract and the headers
# that the checked-in files were made from; elsewhere the check says what it lacks.
set -euo pipefail
source scripts/lib/common.sh

recorded=modules/bindings/src/generated/versions.txt
if ! here="$(scripts/generate-bindings --versions 2>/dev/null)"; then
  say "  !! BINDINGS NOT CHECKED FOR DRIFT: no jextract, or a header is missing"
  exit 0
fi
if ! differences="$(diff "$recorded" - <<<"$here")"; then
  say "  !! BINDINGS NOT CHECKED FOR DRIFT: made from other versions (<) than those here (>):"
  say "$differences"
  exit 0
fi
scripts/generate-bindings --check
