#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The race must be caught where it is, and nothing be caught where it is not: every protocol on a
# carrier that keeps what RDMA keeps, then without order between writes (A1w), then without order
# between writes and their signal (A4). Seeds 1 to 3; scripts/deep has the long campaign.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../lib/common.sh"
source "$(dirname "${BASH_SOURCE[0]}")/../lib/positive-control.sh"

positive_control 1..3
