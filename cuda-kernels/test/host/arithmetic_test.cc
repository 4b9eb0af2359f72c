// SPDX-License-Identifier: Apache-2.0
// The arithmetic of the headers against values that the Java classes of the same name printed:
// dev.jgin.moe.check.Checksum, dev.jgin.moe.numeric.{Fp8E4M3, Bf16, Ue8m0}.
#include "expect.h"
#include "jgin/checksum.h"
#include "jgin/numeric.h"

namespace {

using namespace jgin;

struct Golden {
  uint64_t bytes, seed, checksum;
};

// Of words 0x0123456789ABCDEF * (i + 1).
const Golden GOLDEN[] = {
    {0, 0x0000000000000000ull, 0x79D500DFC8247909ull},
    {0, 0x0000000000000007ull, 0x6E223393514E10D3ull},
    {0, 0xFFFFFFFFFFFFFFFFull, 0x5113E8D8BDA87139ull},
    {8, 0x0000000000000000ull, 0xF44FFF271C828E89ull},
    {8, 0x0000000000000007ull, 0xA22B198761259015ull},
    {8, 0xFFFFFFFFFFFFFFFFull, 0x962DD606C8CE2C11ull},
    {16, 0x0000000000000000ull, 0x30DA0B255B9B2B4Dull},
    {16, 0x0000000000000007ull, 0xEEB6E299EAC33E76ull},
    {16, 0xFFFFFFFFFFFFFFFFull, 0x7C92BEF553FEE3ADull},
    {24, 0x0000000000000000ull, 0xEFD2BF413BE9655Cull},
    {24, 0x0000000000000007ull, 0x9CD18FF7D83AFA63ull},
    {24, 0xFFFFFFFFFFFFFFFFull, 0x8F9549C487D31D2Aull},
    {32, 0x0000000000000000ull, 0xA03CA49F371A9D28ull},
    {32, 0x0000000000000007ull, 0x7B47AEEFC42C0BADull},
    {32, 0xFFFFFFFFFFFFFFFFull, 0xA0BE9A24077B3D89ull},
    {40, 0x0000000000000000ull, 0x2F92F8784D001673ull},
    {40, 0x0000000000000007ull, 0x68577442CAEDBDA4ull},
    {40, 0xFFFFFFFFFFFFFFFFull, 0xE4D1E10F4C6EB8A9ull},
    {64, 0x0000000000000000ull, 0x9F93E380322216D9ull},
    {64, 0x0000000000000007ull, 0x348225AC05FD43F5ull},
    {64, 0xFFFFFFFFFFFFFFFFull, 0xE16716965F7B7F1Full},
    {72, 0x0000000000000000ull, 0x4D9283EF1F24B6ACull},
    {72, 0x0000000000000007ull, 0x55BD7C6ED9125298ull},
    {72, 0xFFFFFFFFFFFFFFFFull, 0x413B264112AAC79Dull},
    {128, 0x0000000000000000ull, 0x0F9C5FF46CB0C6BCull},
    {128, 0x0000000000000007ull, 0xAEA0B946A9A1C462ull},
    {128, 0xFFFFFFFFFFFFFFFFull, 0xF257FE5FDAD455D7ull},
    {296, 0x0000000000000000ull, 0xBEEF784019C58193ull},
    {296, 0x0000000000000007ull, 0xE0589C673A072B1Eull},
    {296, 0xFFFFFFFFFFFFFFFFull, 0x260B36617D9B45D6ull},
    {320, 0x0000000000000000ull, 0x9CFD9A92FF7ABF1Eull},
    {320, 0x0000000000000007ull, 0x286DEFE705B827A6ull},
    {320, 0xFFFFFFFFFFFFFFFFull, 0x5DD680B8640C350Aull},
};

TEST(shouldMakeTheChecksumsOfJava) {
  uint64_t words[40];
  for (uint64_t i = 0; i < 40; i++) words[i] = 0x0123456789ABCDEFull * (i + 1);
  for (const Golden& g : GOLDEN) EXPECT(checksum::of(words, g.bytes, g.seed) == g.checksum);
  EXPECT(checksum::mix(0, 0) == 0xBF83091B291240DEull);
  EXPECT(checksum::mix(1, 2) == 0x4E568F6605570AA2ull);
  EXPECT(checksum::mix(~0ull, 1ull << 63) == 0xBD3D2127F4EA62F0ull);
}

TEST(shouldMakeTheChecksumOfARowOfAllButTheChecksum) {
  uint64_t row[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  uint64_t sum = checksum::of_row(row, sizeof(row));
  row[2] = 99;
  EXPECT(checksum::of_row(row, sizeof(row)) == sum);
  for (int i = 0; i < 12; i++) {
    if (i == 2) continue;
    row[i] ^= 1ull << 63;
    EXPECT(checksum::of_row(row, sizeof(row)) != sum);
    row[i] ^= 1ull << 63;
  }
}

TEST(shouldNoticeExchangedCounts) {
  uint64_t straight = checksum::count_part(0, 5) ^ checksum::count_part(1, 7);
  uint64_t crossed = checksum::count_part(0, 7) ^ checksum::count_part(1, 5);
  uint64_t equal = checksum::count_part(0, 5) ^ checksum::count_part(1, 5);
  EXPECT(straight != crossed);
  EXPECT(equal != 0);
}

TEST(shouldRoundAsJavaDoes) {
  uint64_t h = 0;
  for (uint64_t i = 0; i < 1ull << 32; i += 65521) {
    float f = bits_as<float>(static_cast<uint32_t>(i));
    h = checksum::mix(h, numeric::fp8_from_float(f) | uint64_t{numeric::bf16_from_float(f)} << 8);
  }
  EXPECT(h == 0x79A87266BF2FB148ull);
  h = 0;
  for (uint64_t i = 1; i < 0x7F800000; i += 40009) {
    if (i < 0x00800000) continue;  // scales are never subnormal
    h = checksum::mix(h, numeric::ue8m0_ceil(bits_as<float>(static_cast<uint32_t>(i))));
  }
  EXPECT(h == 0x0A126B1B0FF61572ull);
}

TEST(shouldMakeScalesThatKeepTheLargestInRange) {
  EXPECT(numeric::scale_of(0.0f) == 1.0f);
  EXPECT(numeric::scale_of(448.0f) == 1.0f);
  EXPECT(numeric::scale_of(1e-44f) == 0x1p-126f);
  EXPECT(numeric::finite_magnitude(-3.0f) == 3.0f);
  EXPECT(numeric::finite_magnitude(__builtin_inff()) == 0.0f);
  EXPECT(numeric::finite_magnitude(__builtin_nanf("")) == 0.0f);
}

}  // namespace
