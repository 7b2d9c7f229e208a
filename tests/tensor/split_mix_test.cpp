#include <tapestry/tensor/split_mix.hpp>

#include <doctest/doctest.h>

#include <bit>
#include <cstdint>

using tapestry::splitMix;

TEST_CASE("splitMix gives the numbers of the published generator") {
  // the first outputs of SplitMix64 with the seed 1234567, as its reference implementation prints them
  static_assert(splitMix(1234567, 0) == 6457827717110365317U);
  static_assert(splitMix(1234567, 1) == 3203168211198807973U);
  CHECK(splitMix(1234567, 2) == 9817491932198370423U);
}

TEST_CASE("a change of one bit of the seed changes about half of the bits") {
  int changed = 0;
  for (int bit = 0; bit < 64; ++bit)
    changed += std::popcount(splitMix(42) ^ splitMix(42 ^ (std::uint64_t{1} << bit)));
  CHECK(changed > 64 * 28);
  CHECK(changed < 64 * 36);
}
