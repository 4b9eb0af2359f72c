# SPDX-License-Identifier: Apache-2.0
# Finds a JDK 25 or newer and Maven 3.8.7 or newer, installs the distribution's packages where it may,
# and otherwise says what to install. Needs common.sh.

readonly MIN_JAVA=25
readonly MIN_MAVEN=3.8.7

# Prints the feature version of the JDK at $1, or nothing if it is not a JDK (no compiler).
jdk_feature() {
  [[ -x "$1/bin/javac" && -r "$1/release" ]] || return 0
  sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$1/release"
}

# Prints the first JDK of version $MIN_JAVA among the arguments, else the first newer one.
pick_jdk() {
  local home feature newer=""
  for home in "$@"; do
    feature="$(jdk_feature "$home")"
    [[ -n "$feature" ]] || continue
    if ((feature == MIN_JAVA)); then
      printf '%s\n' "$home"
      return
    fi
    if ((feature > MIN_JAVA)) && [[ -z "$newer" ]]; then newer="$home"; fi
  done
  if [[ -n "$newer" ]]; then printf '%s\n' "$newer"; fi
}

system_jdks() {
  local home
  for home in /usr/lib/jvm/* /usr/java/* /opt/java/* /opt/jdk* \
    "${HOME:-/nonexistent}"/.sdkman/candidates/java/* \
    /Library/Java/JavaVirtualMachines/*/Contents/Home; do
    if [[ -d "$home" ]]; then printf '%s\n' "$home"; fi
  done
}

# apt_install PACKAGE: true if the distribution had the package, we may install it, and it went in.
apt_install() {
  command -v apt-get >/dev/null && [[ "$(id -u)" == 0 ]] || return 1
  if ! apt_has "$1"; then
    say "no $1 in the package lists at hand; refreshing them"
    apt-get update -qq >&2 || return 1
    apt_has "$1" || return 1
  fi
  say "installing the distribution's package $1"
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$1" >&2
}

# No pipe into grep -q: it leaves early, apt-cache dies of that, and with pipefail nothing is ever found.
apt_has() { [[ "$(LC_ALL=C apt-cache policy "$1" 2>/dev/null)" == *"Candidate: "[0-9]* ]]; }

# Exports JAVA_HOME.
find_jdk() {
  local home all=()
  home="$(pick_jdk "${JAVA_HOME:-/nonexistent}")"
  if [[ -z "$home" ]]; then
    mapfile -t all < <(system_jdks)
    home="$(pick_jdk "${all[@]}")"
  fi
  if [[ -z "$home" ]] && apt_install "openjdk-$MIN_JAVA-jdk-headless"; then
    mapfile -t all < <(system_jdks)
    home="$(pick_jdk "${all[@]}")"
  fi
  if [[ -z "$home" ]]; then
    say "jgin needs a JDK $MIN_JAVA or newer (a JDK: with javac), and found none in JAVA_HOME" \
      "(${JAVA_HOME:-not set}), /usr/lib/jvm, /usr/java, /opt or ~/.sdkman."
    say "Install one of:"
    say "  * the distribution's package, e.g. apt-get install openjdk-$MIN_JAVA-jdk-headless"
    say "  * any OpenJDK $MIN_JAVA build (Temurin, Corretto, Zulu, ...), unpacked anywhere, with JAVA_HOME set to it"
    fail "no JDK $MIN_JAVA"
  fi
  export JAVA_HOME="$home"
}

maven_version() { mvn -v 2>/dev/null | sed -n 's/.*Apache Maven \([0-9.]*\).*/\1/p' | head -n 1; }

# at_least HAVE WANT, as versions.
at_least() { [[ "$(printf '%s\n%s\n' "$2" "$1" | sort -V | head -n 1)" == "$2" ]]; }

# Checks for Maven; call find_jdk first, because mvn itself runs on JAVA_HOME.
find_maven() {
  local version=""
  if command -v mvn >/dev/null; then version="$(maven_version)"; fi
  if [[ -z "$version" ]] && apt_install maven; then version="$(maven_version)"; fi
  if [[ -z "$version" ]]; then
    say "jgin is built by Maven $MIN_MAVEN or newer, and there is no working mvn on the PATH."
    say "Install it, e.g. apt-get install maven, or unpack a release and put its bin folder on the PATH."
    fail "no Maven"
  fi
  at_least "$version" "$MIN_MAVEN" ||
    fail "mvn on the PATH is Maven $version; jgin needs $MIN_MAVEN or newer: put a newer one first"
}

# run_maven ARGS...: Maven in the repository's root, without a progress display where nobody watches.
# JGIN_MAVEN_ARGS is added (words; e.g. "-o" or "-Dmaven.repo.local=/some/folder").
run_maven() {
  local flags=() extra=()
  if [[ "${CI:-}" == true || ! -t 1 ]]; then flags=(-B -ntp -Dstyle.color=never); fi
  read -r -a extra <<<"${JGIN_MAVEN_ARGS:-}"
  # ${a[@]+...}: bash before 4.4 takes an empty array for an unset variable.
  (cd "$JGIN_ROOT" && mvn ${flags[@]+"${flags[@]}"} ${extra[@]+"${extra[@]}"} "$@")
}
