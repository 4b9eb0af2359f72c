// SPDX-License-Identifier: Apache-2.0

/**
 * {@code pmix.h}: how a process that a launcher started finds its peers. Generated, apart from this
 * page.
 *
 * <p>Call {@link dev.jgin.bindings.NativeLibrary#ensureAvailability} of {@code PMIX} before
 * anything in {@code pmix_h}. The library is no launcher: without one, {@code PMIx_Init} returns
 * −25 ({@code PMIX_ERR_UNREACH}).
 *
 * <p><b>What the header hides.</b> Its constructors are macros over exported functions: {@code
 * PMIX_VALUE_LOAD} is {@code PMIx_Value_load}, {@code PMIX_INFO_LOAD} is {@code PMIx_Info_load}. A
 * value that {@code PMIx_Get} hands out is the caller's: {@code PMIx_Value_destruct}, then the C
 * library's {@code free}. A namespace is a {@code char[256]} inside {@code pmix_proc_t}, not a
 * pointer. Types named {@code X_t} are the structs {@code X}.
 */
package dev.jgin.bindings.pmix;
