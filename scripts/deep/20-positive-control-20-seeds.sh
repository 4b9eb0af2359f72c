#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The campaign of scripts/checks/20-positive-control.sh with seeds 1 to 20. Prints a Markdown table of
# symptoms for each carrier, protocol and seed.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../lib/common.sh"
source "$(dirname "${BASH_SOURCE[0]}")/../lib/positive-control.sh"

positive_control 1..20
