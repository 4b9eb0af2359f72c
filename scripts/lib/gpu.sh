# SPDX-License-Identifier: Apache-2.0
# What the scripts for a GPU share: the tests' classes, compiled on demand, and the command lines. Needs
# common.sh, toolchain.sh and build.sh. The bundle has command lines of its own: scripts/lib/gpu/.

readonly GPU_STAMP="$JGIN_ROOT/modules/cli/target/jgin-tests.stamp"
# shellcheck disable=SC2034 # read by scripts/gpu-test and scripts/gpu-bench
readonly GPU_VM=(-XX:+UseSerialGC -XX:-UsePerfData --enable-native-access=ALL-UNNAMED
  "-Djava.library.path=$JCUDA_NATIVES")

# Prints Maven's list of all rooms.
gpu_rooms() {
  local pom rooms=""
  for pom in "$JGIN_ROOT"/modules/*/pom.xml; do
    pom="${pom%/pom.xml}"
    rooms+=",modules/${pom##*/}"
  done
  printf '%s' "${rooms#,}"
}

# gpu_is_built: true if the classes of rooms and tests stand and no source is newer than their stamp.
gpu_is_built() {
  [[ -f "$GPU_STAMP" && -d "$JGIN_ROOT/modules/gin/target/test-lib" ]] || return 1
  [[ -z "$(find_newer "$GPU_STAMP" "$JGIN_ROOT/pom.xml" "$JGIN_ROOT"/modules/*/pom.xml \
    "$JGIN_ROOT"/modules/*/src)" ]]
}

# gpu_build: compiles all rooms and their tests if a source is newer, and the kernels where there is nvcc.
gpu_build() {
  local reference lock
  exec {lock}>"$JGIN_ROOT/.mvn/build.lock"
  if command -v flock >/dev/null; then flock "$lock"; fi
  if ! gpu_is_built; then
    find_maven
    say "building all rooms and their tests"
    reference="$(mktemp)"
    run_maven -Dorg.slf4j.simpleLogger.defaultLogLevel=warn -pl "$(gpu_rooms)" -DskipTests \
      process-test-classes >&2 {lock}>&- || fail "the build failed; see above"
    mark_built modules/cli "$reference"
    touch -r "$reference" "$GPU_STAMP"
    rm -f "$reference"
  fi
  exec {lock}>&-
  gpu_kernels
}

# gpu_kernels: compiles the kernels if a source is newer, and makes them a resource of the room that launches
# them. Without nvcc there are none; scripts/build-kernels says so.
gpu_kernels() {
  local resource=dev/jgin/gpu/kernels.fatbin
  local built="$JGIN_ROOT/cuda-kernels/build/$resource" packed="$JGIN_ROOT/modules/gpu/target/classes/$resource"
  if [[ ! -f "$built" ]] || [[ -n "$(find_newer "$built" "$JGIN_ROOT/scripts/build-kernels" \
    "$JGIN_ROOT/cuda-kernels/include" "$JGIN_ROOT/cuda-kernels/src")" ]]; then
    "$JGIN_ROOT/scripts/build-kernels" >&2 || fail "scripts/build-kernels failed; see above"
  fi
  if [[ -f "$built" ]] && ! cmp -s "$built" "$packed"; then cp "$built" "$packed"; fi
}

# Prints the class path of tests and benchmarks: classes and tests of every room, then the libraries.
gpu_class_path() {
  local path="" module
  for module in "$JGIN_ROOT"/modules/*; do
    path+="$module/target/classes:$module/target/test-classes:"
  done
  printf '%s' "$path$JGIN_ROOT/modules/cli/target/lib/*:$JGIN_ROOT/modules/gin/target/test-lib/*"
}
