// SPDX-License-Identifier: Apache-2.0

/** The model: what a rank can do with its peers, and what it may rely on. */
package dev.jgin.gin;
