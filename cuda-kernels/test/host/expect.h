// SPDX-License-Identifier: Apache-2.0
// A test is a function that registers itself; an expectation that fails is printed and counted.
#pragma once

#include <cstdint>
#include <cstdio>
#include <vector>

namespace hosttest {

struct Test {
  const char* name;
  void (*run)();
};

inline std::vector<Test>& tests() {
  static std::vector<Test> all;
  return all;
}

inline int failures = 0;

struct Register {
  Register(const char* name, void (*run)()) { tests().push_back({name, run}); }
};

/// SplitMix64.
struct Random {
  uint64_t state;
  uint64_t next() {
    uint64_t z = (state += 0x9E3779B97F4A7C15ull);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
  }
  uint32_t below(uint32_t n) { return static_cast<uint32_t>(next() % n); }
};

}  // namespace hosttest

#define TEST(name)                                            \
  static void name();                                         \
  static hosttest::Register name##_registered{#name, name};   \
  static void name()

#define EXPECT(condition)                                                        \
  do {                                                                           \
    if (!(condition) && hosttest::failures++ < 20) {                             \
      std::printf("%s:%d: %s\n", __FILE__, __LINE__, #condition);                \
    }                                                                            \
  } while (0)
