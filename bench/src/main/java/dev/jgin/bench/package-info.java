// SPDX-License-Identifier: Apache-2.0

/** JMH suites: put, signal and flush, barriers, and the passes of a mixture-of-experts layer. */
package dev.jgin.bench;
