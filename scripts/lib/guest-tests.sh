# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# Runs JUnit classes of the verbs fabric in the guest of scripts/soft-roce, without Maven. Needs common.sh,
# toolchain.sh with find_jdk and find_maven called, and build.sh.

# Compiles the classes and lays their libraries out. Sets GUEST_CLASS_PATH.
build_guest_tests() {
  local module
  run_maven -q -Dorg.slf4j.simpleLogger.defaultLogLevel=warn -pl modules/fabric-verbs -am -DskipTests \
    package >&2 || fail "the build failed; see above"
  GUEST_CLASS_PATH="$JGIN_ROOT/modules/fabric-verbs/target/test-lib/*"
  for module in gin bindings fabric-verbs; do
    GUEST_CLASS_PATH+=":$JGIN_ROOT/modules/$module/target/classes:$JGIN_ROOT/modules/$module/target/test-classes"
  done
}

# guest_tests FABRIC [-D...] CLASS...: as text, to run in the guest, which sets JGIN_JAVA_OPTS to what
# suits a JVM there. A device that is missing there fails.
guest_tests() {
  local fabric="$1" properties=()
  shift
  while [[ "$1" == -D* ]]; do
    properties+=("$1")
    shift
  done
  # shellcheck disable=SC2016
  printf '%q -ea $JGIN_JAVA_OPTS ' "$JAVA_HOME/bin/java"
  printf '%q ' --enable-native-access=ALL-UNNAMED -Djgin.verbs.required=true \
    ${properties[@]+"${properties[@]}"} "-Djgin.verbs.fabric=$fabric" -cp "$GUEST_CLASS_PATH" \
    dev.jgin.fabric.verbs.GuestTests "$@"
}
