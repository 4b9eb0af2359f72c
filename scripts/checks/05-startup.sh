#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The archive that lets the command start faster is used where it is good, made anew where it is not,
# and never in the way: stale, of another JDK, broken, read-only, contended, impossible to make.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../lib/common.sh"
source "$JGIN_ROOT/scripts/lib/toolchain.sh"

find_jdk
unset JGIN_STARTUP JGIN_JAVA_OPTS
startup="$JGIN_ROOT/modules/cli/target/startup"
main="$JGIN_ROOT/modules/cli/target/classes/dev/jgin/cli/Main.class"
scratch="$(mktemp -d)"
clean_up() {
  chmod -R u+w "$startup" 2>/dev/null || true
  rm -rf "$scratch"
}
trap clean_up EXIT

# expect WHERE WHAT [jgin]: `jgin --version` says nothing but the version, and its main class comes from
# WHERE: archive or classes. Sets `folder` to the folder that counts.
expect() {
  local where="$1" what="$2" jgin="${3:-$JGIN_ROOT/scripts/jgin}" out source
  out="$("$jgin" --version 2>&1)" || fail "$what: the command failed: $out"
  [[ "$out" == "jgin "*$'\n'"Java "* && "$(wc -l <<<"$out")" == 2 ]] || fail "$what: it printed: $out"
  out="$(JGIN_JAVA_OPTS=-Xlog:class+load:stdout "$jgin" --version 2>&1)" || fail "$what: $out"
  source="$(sed -n 's/.*\] dev\.jgin\.cli\.Main source: //p' <<<"$out")"
  case "$where:$source" in
    archive:"shared objects file"* | classes:*/target/classes/) ;;
    *) fail "$what: the main class came from '$source', not from the $where" ;;
  esac
  folder="$(head -n 1 "$startup/current")"
}

expect archive "as built"
first="$folder"
expect archive "once more"
[[ "$folder" == "$first" ]] || fail "an archive that was good was made anew"
JGIN_STARTUP=off expect classes "JGIN_STARTUP=off"

touch "$main"
JGIN_STARTUP=use expect classes "JGIN_STARTUP=use with a class newer than the archive"
[[ "$folder" == "$first" ]] || fail "JGIN_STARTUP=use made an archive"
expect archive "a class newer than the archive"
[[ "$folder" != "$first" ]] || fail "a stale archive was not made anew"

sed -i.old '3s/$/-other/' "$startup/current" && rm "$startup/current.old"
before="$folder"
expect archive "an archive of another JDK"
[[ "$folder" != "$before" ]] || fail "the archive of another JDK was not made anew"

before="$folder"
head -c 100000 "$startup/$folder/jgin.jsa" >"$scratch/short" && cp "$scratch/short" "$startup/$folder/jgin.jsa"
expect archive "an archive cut short"
[[ "$folder" != "$before" ]] || fail "an archive cut short was not made anew"

# The same size, but nonsense: the JVM notices and starts without.
size="$(wc -c <"$startup/$folder/jgin.jsa")"
mv "$startup/$folder/jgin.jsa" "$scratch/good"
yes nonsense | head -c "$size" >"$startup/$folder/jgin.jsa" || true
[[ "$("$JGIN_ROOT/scripts/jgin" --version 2>&1)" == "jgin "*$'\n'"Java "* ]] || fail "nonsense did harm"
mv "$scratch/good" "$startup/$folder/jgin.jsa"
expect archive "after the nonsense"

# A collector that the archive is not for, given by the caller.
out="$(JGIN_JAVA_OPTS="-XX:-UseSerialGC -XX:+UseZGC" "$JGIN_ROOT/scripts/jgin" --version 2>&1)" || fail "ZGC: $out"
[[ "$(wc -l <<<"$out")" == 2 ]] || fail "the JVM spoke of the archive: $out"

# Read-only. Permissions do not bind root, a mount does.
if [[ "$(id -u)" == 0 ]]; then
  if unshare -m true 2>/dev/null; then
    cat >"$scratch/read-only" <<'END'
#!/usr/bin/env bash
exec unshare -m bash -c 'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && exec "${@}"' \
  "$JGIN_ROOT/modules/cli/target" "$JGIN_ROOT/scripts/jgin" "$@"
END
  else
    say "!! A READ-ONLY FOLDER WAS NOT TRIED: root, and mounts are not allowed here"
  fi
else
  printf '#!/bin/sh\nchmod -R u-w "$JGIN_ROOT/modules/cli/target/startup"\nexec "$JGIN_ROOT/scripts/jgin" "$@"\n' \
    >"$scratch/read-only"
fi
if [[ -f "$scratch/read-only" ]]; then
  chmod +x "$scratch/read-only"
  expect archive "read-only, up to date" "$scratch/read-only"
  touch "$main"
  before="$folder"
  expect classes "read-only, stale" "$scratch/read-only"
  [[ "$folder" == "$before" ]] || fail "an archive was made in a read-only folder"
  chmod -R u+w "$startup"
fi

# Three at once: one makes it, the others do not wait.
touch "$main"
runs=()
for i in 1 2 3; do
  "$JGIN_ROOT/scripts/jgin" --version >"$scratch/run$i" 2>&1 &
  runs+=($!)
done
for i in 1 2 3; do
  wait "${runs[i - 1]}" || fail "one of three runs at once failed: $(cat "$scratch/run$i")"
  [[ "$(wc -l <"$scratch/run$i")" == 2 ]] || fail "one of three runs at once printed: $(cat "$scratch/run$i")"
done
expect archive "after three at once"
leftovers="$(find "$startup" -mindepth 1 -maxdepth 1 ! -name current ! -name lock | wc -l)"
((leftovers <= 2)) || fail "$leftovers folders are left in $startup: $(ls "$startup")"

# A JDK that cannot make jars: said once, and done without.
jdk="$scratch/jdk"
mkdir -p "$jdk/bin"
ln -s "$JAVA_HOME/bin/java" "$JAVA_HOME/bin/javac" "$jdk/bin/"
ln -s "$(command -v false)" "$jdk/bin/jar"
cp "$JAVA_HOME/release" "$jdk/release"
out="$(JAVA_HOME="$jdk" "$JGIN_ROOT/scripts/jgin" --version 2>&1)" || fail "without jar: $out"
[[ "$out" == "note: no archive"*$'\n'"jgin "* ]] || fail "without jar it printed: $out"
JAVA_HOME="$jdk" expect classes "without jar, the second time"
expect archive "after that"
