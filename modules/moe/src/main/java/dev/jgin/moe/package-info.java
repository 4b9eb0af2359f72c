// SPDX-License-Identifier: Apache-2.0

/** Expert-parallel plan, layout, checks and the host engine. */
package dev.jgin.moe;
