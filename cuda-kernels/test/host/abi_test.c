/* SPDX-License-Identifier: Apache-2.0 */
/* The contract is C: it compiles as C11, pedantically, and by itself. */
#include "jgin/abi.h"

int jgin_abi_version(void) { return JGIN_ABI_VERSION; }
