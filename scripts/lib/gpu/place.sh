# SPDX-License-Identifier: Apache-2.0
# Where things are in an unpacked bundle. Sourced by the commands in its bin folder, with HERE set to the
# bundle's folder. Needs a POSIX shell and no other tool: no JDK, no Maven, no network.

JAVA="$HERE/runtime/bin/java"
VM="-XX:+UseSerialGC -XX:-UsePerfData"

# Containers have the driver's libraries in a folder that the dynamic linker is not always told of.
for folder in /usr/local/nvidia/lib64 /usr/local/nvidia/lib; do
  if [ -e "$folder/libcuda.so.1" ]; then
    export LD_LIBRARY_PATH="${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}$folder"
  fi
done

# module_path: sets MODULE_PATH to the rooms and the libraries of the command.
module_path() {
  MODULE_PATH=""
  for room in "$HERE"/rooms/*; do MODULE_PATH="$MODULE_PATH$room/classes:"; done
  MODULE_PATH="$MODULE_PATH$HERE/lib"
}

# class_path: sets CLASS_PATH to classes and tests of every room, then the libraries.
class_path() {
  CLASS_PATH=""
  for room in "$HERE"/rooms/*; do CLASS_PATH="$CLASS_PATH$room/classes:$room/test-classes:"; done
  CLASS_PATH="$CLASS_PATH$HERE/lib/*:$HERE/test-lib/*"
}

# gpu_java ARGS...: the runtime, with tests and benchmarks on the class path.
gpu_java() {
  class_path
  # shellcheck disable=SC2086 # words
  "$JAVA" $VM --enable-native-access=ALL-UNNAMED "-Djava.library.path=$HERE/native" \
    ${JGIN_JAVA_OPTS:-} -cp "$CLASS_PATH" "$@"
}

if [ -d "$HERE/routing" ]; then export JGIN_ROUTING_DIR="${JGIN_ROUTING_DIR:-$HERE/routing}"; fi
