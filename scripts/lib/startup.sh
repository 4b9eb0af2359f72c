# SPDX-License-Identifier: Apache-2.0
# Lets the command start in about half the time: the rooms' classes as jars, and the JVM's own picture
# of what a run loads and links (a CDS archive). Needs common.sh, toolchain.sh and build.sh. What was
# measured and what else was tried: docs/decisions/0010-class-data-archive.md.
#
# Below modules/cli/target/startup: one folder per making, with lib/*.jar and jgin.jsa, and the file
# `current`: the name of the folder that counts (or `none`, if making failed), the archive's size, and
# the JDK it is of. `current` carries the time before the making, and is replaced in one step.
#
# JGIN_STARTUP: auto (make it when it is out of date), use (only if it is up to date), off.

readonly STARTUP="$JGIN_ROOT/modules/cli/target/startup"
# Serial collector: the rows live off-heap, so there is little to collect, and collector threads would
# only take cores from ranks that poll. No perf data file: its writes can stall a safepoint.
readonly STARTUP_VM=(-XX:+UseSerialGC -XX:-UsePerfData "--enable-native-access=$NATIVE_ACCESS"
  "-Djava.library.path=$JCUDA_NATIVES")
readonly STARTUP_MAIN=(-m dev.jgin.cli/dev.jgin.cli.Main)

# Prints what an archive depends on beside the classes. Another JDK at the same path has another release.
startup_key() { printf '%s\n%s' "$JAVA_HOME" "$(<"$JAVA_HOME/release")"; }

# startup_fresh: true if `current` speaks of this JDK and no class or library is newer. Sets
# STARTUP_FOLDER, empty if making failed.
startup_fresh() {
  local current="$STARTUP/current" name bytes key
  STARTUP_FOLDER=""
  [[ -r "$current" ]] || return 1
  { read -r name && read -r bytes && key="$(cat)"; } <"$current" || return 1
  [[ "$key" == "$(startup_key)" ]] || return 1
  # Folders count too: their time is that of the last class that went.
  [[ -z "$(find_newer "$current" "$JGIN_ROOT"/modules/*/target/classes \
    "$JGIN_ROOT/modules/cli/target/lib")" ]] || return 1
  [[ "$name" != none ]] || return 0
  [[ -r "$STARTUP/$name/jgin.jsa" && "$(wc -c <"$STARTUP/$name/jgin.jsa")" -eq "$bytes" ]] || return 1
  STARTUP_FOLDER="$STARTUP/$name"
}

# startup_train FOLDER: jars, the list of classes that a few runs load, the archive, and one run on it.
startup_train() (
  unset JDK_JAVA_OPTIONS JAVA_TOOL_OPTIONS
  folder="$1"
  java=("$JAVA_HOME/bin/java" "${STARTUP_VM[@]}" -p "$folder/lib")
  exec >/dev/null 2>&1 </dev/null
  startup_jars "$folder" &&
    startup_record fabrics &&
    startup_record moe --ranks 2 --contexts 2 --tokens-per-rank 4 --hidden 256 --iterations 2 --warmup 0 &&
    # The numbers by which a list refers to its own lines mean nothing in a joined one.
    sed -e '/^#/d' -e '/ source: /d' -e 's/ id: .*//' "$folder/lists" | awk '!seen[$0]++' >"$folder/list" &&
    "${java[@]}" -Xshare:dump -XX:+AOTClassLinking -XX:SharedClassListFile="$folder/list" \
      -XX:SharedArchiveFile="$folder/new" "${STARTUP_MAIN[@]}" &&
    "${java[@]}" -Xshare:on -XX:SharedArchiveFile="$folder/new" "${STARTUP_MAIN[@]}" --version &&
    rm "$folder/list" "$folder/lists" &&
    mv "$folder/new" "$folder/jgin.jsa"
)

# startup_jars FOLDER: into FOLDER/lib. An archive takes no classes from folders.
startup_jars() {
  local folder="$1" module process processes=()
  mkdir "$folder" "$folder/lib" || return 1
  for module in "$JGIN_ROOT"/modules/*; do
    "$JAVA_HOME/bin/jar" -J-XX:TieredStopAtLevel=1 -J-XX:+UseSerialGC --create --no-compress \
      --file "$folder/lib/${module##*/}.jar" -C "$module/target/classes" . &
    processes+=($!)
  done
  for process in "${processes[@]}"; do wait "$process" || return 1; done
  cp "$JGIN_ROOT"/modules/cli/target/lib/*.jar "$folder/lib/"
}

# startup_record ARGS...: adds the classes that `jgin ARGS` loads to the lists of startup_train.
startup_record() {
  "${java[@]}" -XX:DumpLoadedClassList="$folder/list" "${STARTUP_MAIN[@]}" "$@" &&
    cat "$folder/list" >>"$folder/lists"
}

# startup_make: makes jars and archive unless another process is at it or the target is read-only. Never
# fails: what cannot be made is done without, and not tried again before something changes.
startup_make() {
  local name="$$-$(date +%s)" bytes=0 previous="" lock old
  mkdir -p "$STARTUP" 2>/dev/null && [[ -w "$STARTUP" ]] || return 0
  # Without flock two may make it: each has a folder of its own, the last one counts.
  exec {lock}>"$STARTUP/lock"
  if ! command -v flock >/dev/null || flock -n "$lock"; then
    : >"$STARTUP/begin.$$"
    if [[ -r "$STARTUP/current" ]]; then read -r previous <"$STARTUP/current" || true; fi
    if startup_train "$STARTUP/$name" {lock}>&-; then
      bytes="$(wc -c <"$STARTUP/$name/jgin.jsa")"
    else
      say "note: no archive for a faster start could be made; jgin runs without"
      rm -rf "${STARTUP:?}/$name"
      name=none
    fi
    printf '%s\n%d\n%s\n' "$name" "$bytes" "$(startup_key)" >"$STARTUP/new.$$"
    touch -r "$STARTUP/begin.$$" "$STARTUP/new.$$"
    mv "$STARTUP/new.$$" "$STARTUP/current"
    rm "$STARTUP/begin.$$"
    # A run that began on the folder before may still load a class from it.
    for old in "$STARTUP"/*-*; do
      case "${old##*/}" in "$name" | "$previous") ;; *) rm -rf "$old" ;; esac
    done
  fi
  exec {lock}>&-
}

# Sets COMMAND_LINE to java, its options and the main class, with the archive if there is one. Call
# find_jdk and build_on_demand before.
startup_command() {
  local java_opts=()
  read -r -a java_opts <<<"${JGIN_JAVA_OPTS:-}"
  COMMAND_LINE=("$JAVA_HOME/bin/java" "${STARTUP_VM[@]}")
  case "${JGIN_STARTUP:-auto}" in
    off) STARTUP_FOLDER="" ;;
    use) startup_fresh || STARTUP_FOLDER="" ;;
    auto)
      if ! startup_fresh; then
        startup_make
        startup_fresh || STARTUP_FOLDER=""
      fi
      ;;
    *) fail "JGIN_STARTUP is $JGIN_STARTUP; it must be auto, use or off" ;;
  esac
  if [[ -n "$STARTUP_FOLDER" ]]; then
    # The JVM looks for itself whether the archive suits jars, JDK, collector and options, and starts
    # without where it does not; that is no reason for a word on the terminal.
    COMMAND_LINE+=(-Xlog:cds=off -Xlog:aot=off "-XX:SharedArchiveFile=$STARTUP_FOLDER/jgin.jsa"
      -p "$STARTUP_FOLDER/lib")
  else
    COMMAND_LINE+=(-p "$(module_path)")
  fi
  COMMAND_LINE+=(${java_opts[@]+"${java_opts[@]}"} "${STARTUP_MAIN[@]}")
}
