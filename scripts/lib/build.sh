# SPDX-License-Identifier: Apache-2.0
# Compiles on demand and lays out module path and class path. Needs common.sh and toolchain.sh.

# Who calls C: modules of --enable-native-access. JCuda loads its library, which it is given unpacked.
# shellcheck disable=SC2034 # read by startup.sh, gpu.sh and gpu-bundle
readonly NATIVE_ACCESS=dev.jgin.bindings,dev.jgin.fabric.verbs,dev.jgin.gpu,jcuda
readonly JCUDA_NATIVES="$JGIN_ROOT/modules/gpu/target/natives/lib"

# find_newer STAMP FILES...: prints the first of FILES (or below them) newer than STAMP.
find_newer() {
  local stamp="$1"
  shift
  find "$@" -newer "$stamp" -print -quit
}

# is_built PROJECT: true if PROJECT's classes stand and no source or pom is newer than their stamp.
is_built() {
  local project="$JGIN_ROOT/$1" stamp="$JGIN_ROOT/$1/target/jgin.stamp" module sources=()
  [[ -f "$stamp" && -d "$project/target/classes" && -d "$project/target/lib" ]] || return 1
  for module in "$JGIN_ROOT"/modules/*; do
    [[ -f "$module/target/classes/module-info.class" ]] || return 1
    sources+=("$module/pom.xml" "$module/src/main")
    if [[ -d "$module/src/generated" ]]; then sources+=("$module/src/generated"); fi
  done
  [[ -z "$(find_newer "$stamp" "$JGIN_ROOT/pom.xml" "$project/pom.xml" "$project/src/main" \
    "${sources[@]}")" ]]
}

# mark_built PROJECT REFERENCE: notes that PROJECT was built from the sources as of REFERENCE's time.
mark_built() { touch -r "$2" "$JGIN_ROOT/$1/target/jgin.stamp"; }

# build_on_demand PROJECT: compiles PROJECT (modules/cli or bench) and the rooms it stands on if a
# source is newer. Two scripts at once take turns. Maven's output goes to standard error.
build_on_demand() {
  local project="$1" reference lock
  if is_built "$project"; then return; fi
  find_maven
  mkdir -p "$JGIN_ROOT/$project/target"
  exec {lock}>"$JGIN_ROOT/.mvn/build.lock"
  if command -v flock >/dev/null; then flock "$lock"; fi
  if ! is_built "$project"; then
    say "building $project"
    # The stamp carries the time before the build: a file saved during it counts as newer.
    reference="$(mktemp)"
    if ! run_maven -Dorg.slf4j.simpleLogger.defaultLogLevel=warn -pl "$project" -am \
      process-classes >&2; then
      rm -f "$reference"
      fail "the build failed; see above"
    fi
    mark_built "$project" "$reference"
    rm -f "$reference"
  fi
  exec {lock}>&-
}

# Prints the module path: every room's classes, then the libraries of the command.
module_path() {
  local path="" module
  for module in "$JGIN_ROOT"/modules/*; do path+="$module/target/classes:"; done
  printf '%s' "$path$JGIN_ROOT/modules/cli/target/lib"
}

# Prints the class path of the benchmarks: their classes, every room's, then the libraries.
bench_class_path() {
  local path="$JGIN_ROOT/bench/target/classes" module
  for module in gin fabric-emulated bindings gpu moe; do
    path+=":$JGIN_ROOT/modules/$module/target/classes"
  done
  printf '%s' "$path:$JGIN_ROOT/bench/target/lib/*"
}
