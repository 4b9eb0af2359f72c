#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Tests too long for each push: 20 seeds of the ordering controls, other mixtures of the engine suite,
# 1,024 ranks.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../lib/common.sh"
source "$JGIN_ROOT/scripts/lib/toolchain.sh"

find_jdk
find_maven
run_maven -Djgin.excludedGroups=gpu -Dgroups=deep -Dsurefire.failIfNoSpecifiedTests=false test
