#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The generated bindings are what jextract makes of the argument files. Needs jextract and the headers
# that the checked-in files were made from; elsewhere the check says what it lacks. That the script
# would notice is checked everywhere: on a copy, with a stand-in for jextract.
set -euo pipefail
source scripts/lib/common.sh

readonly RECORDED=modules/bindings/src/generated/versions.txt

check_drift() {
  local here differences
  if ! here="$(scripts/generate-bindings --versions 2>/dev/null)"; then
    say "  !! BINDINGS NOT CHECKED FOR DRIFT: no jextract, or a header is missing"
    return
  fi
  if ! differences="$(diff "$RECORDED" - <<<"$here")"; then
    say "  !! BINDINGS NOT CHECKED FOR DRIFT: made from other versions (<) than those here (>):"
    say "$differences"
    return
  fi
  scripts/generate-bindings --check
}

# stand_in FOLDER: a jextract that prints, for each package, the files that are checked in today.
stand_in() {
  mkdir -p "$1/bin"
  cat >"$1/bin/jextract" <<EOF
#!/usr/bin/env bash
if [[ "\$1" == --version ]]; then echo "jextract stand-in"; exit; fi
while ((\$# > 0)); do
  case "\$1" in
    @*) package="\$(sed -n 's/^--target-package //p' "\${1#@}")" ;;
    --output) output="\$2" ;;
  esac
  shift
done
mkdir -p "\$output/dev/jgin/bindings"
cp -r "$JGIN_ROOT/modules/bindings/src/generated/java/\${package//.//}" "\$output/dev/jgin/bindings"
EOF
  chmod +x "$1/bin/jextract"
}

check_the_check() {
  local copy="$1" generate="$1/scripts/generate-bindings" java
  mkdir -p "$copy/modules/bindings" "$copy/cuda-kernels"
  cp -r scripts "$copy"
  cp -r cuda-kernels/include "$copy/cuda-kernels"
  cp -r modules/bindings/src "$copy/modules/bindings"
  java="$copy/modules/bindings/src/generated/java/dev/jgin/bindings"
  stand_in "$copy/jextract"
  export JEXTRACT_HOME="$copy/jextract"
  if ! "$generate" --versions >/dev/null 2>&1; then
    say "  !! generate-bindings ITSELF NOT CHECKED: a header is missing"
    return
  fi
  "$generate" --check 2>/dev/null || fail "generate-bindings --check found drift where there is none"
  touch "$java/pmix/stale.java"
  if "$generate" --check 2>/dev/null; then fail "generate-bindings --check overlooked a stale file"; fi
  echo >>"$java/ibverbs/ibv_qp.java"
  "$generate" 2>/dev/null
  [[ ! -e "$java/pmix/stale.java" ]] || fail "generate-bindings left a stale file"
  "$generate" --check 2>/dev/null || fail "generate-bindings left an edited file"
}

check_drift
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
check_the_check "$folder"
