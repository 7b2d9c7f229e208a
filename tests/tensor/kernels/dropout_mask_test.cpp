#include <tapestry/tensor/kernels/dropout_mask.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include <doctest/doctest.h>

#include <tapestry/tensor/split_mix.hpp>

using namespace tapestry;
using kernels::dropoutMask;

TEST_CASE("a mask of dropout has zeros in the given share, and scales up the rest") {
  for (const double rate : {0.0, 0.1, 0.5, 0.9}) {
    const auto mask = dropoutMask<double>({1001, 100}, rate, 3, 0);
    const auto zeros = std::ranges::count(mask.values(), 0.0);
    CHECK(zeros + std::ranges::count(mask.values(), 1 / (1 - rate)) == 100'100);
    // five standard deviations of a binomial distribution are at most 791
    CHECK(std::abs(static_cast<double>(zeros) - rate * 100'100) < 800);
  }
}

TEST_CASE("a mask depends on the seed, the stream and the index alone") {
  const auto mask = dropoutMask<float>({64}, 0.5, 1, 2);
  CHECK(mask == dropoutMask<float>({64}, 0.5, 1, 2));
  CHECK(mask != dropoutMask<float>({64}, 0.5, 1, 3));
  CHECK(mask != dropoutMask<float>({64}, 0.5, 2, 2));
  const auto longer = dropoutMask<float>({101}, 0.5, 1, 2);
  CHECK(std::equal(mask.data(), mask.data() + 64, longer.data()));
}

TEST_CASE("the draws of a mask are what its elements are made of") {
  const auto draws = kernels::DropoutDraws::of(0.25, 7, 3);
  CHECK(draws.threshold == 1u << 30);
  CHECK(draws.kept == 1 / 0.75);
  const auto mask = dropoutMask<double>({40}, 0.25, 7, 3);
  for (std::size_t i = 0; i < 40; ++i) {
    const std::uint64_t bits = splitMix(draws.key, i / 2);
    const std::uint64_t draw = i % 2 == 0 ? bits & 0xffffffffU : bits >> 32;
    CHECK(mask(i) == (draw < draws.threshold ? 0 : draws.kept));
  }
}

TEST_CASE("a rate next to 1 leaves hardly anything, and a mask may be empty") {
  CHECK(std::ranges::count(dropoutMask<float>({1000}, 1 - 1e-12, 0, 0).values(), 0.0f) == 1000);
  CHECK(dropoutMask<float>({0, 3}, 0.5, 0, 0).size() == 0);
}
