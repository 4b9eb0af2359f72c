// SPDX-License-Identifier: Apache-2.0
// Runs every test; the exit status says whether all passed.
#include "expect.h"

int main() {
  for (const hosttest::Test& test : hosttest::tests()) {
    int before = hosttest::failures;
    test.run();
    if (hosttest::failures != before) std::printf("FAILED %s\n", test.name);
  }
  std::printf("host half of the device headers: %zu tests, %d expectations failed\n",
              hosttest::tests().size(), hosttest::failures);
  return hosttest::failures == 0 && !hosttest::tests().empty() ? 0 : 1;
}
