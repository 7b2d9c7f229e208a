#include <tapestry/tensor/storage/half_precision.hpp>

#include <doctest/doctest.h>

#include <limits>

using tapestry::fromBfloat16;
using tapestry::fromHalf;

TEST_CASE("numbers of half precision keep their values as floats") {
  CHECK(fromHalf(0x3c00) == 1);
  CHECK(fromHalf(0xc000) == -2);
  CHECK(fromHalf(0x3555) == 0x1.554p-2f);
  CHECK(fromHalf(0x7bff) == 65504);
  CHECK(fromHalf(0x0400) == 0x1p-14f);
  CHECK(fromHalf(0x03ff) == 0x1.ff8p-15f);
  CHECK(fromHalf(0x0001) == 0x1p-24f);
  CHECK(fromHalf(0x8001) == -0x1p-24f);
  CHECK(fromHalf(0) == 0);
  CHECK(std::signbit(fromHalf(0x8000)));
  CHECK(fromHalf(0xfc00) == -std::numeric_limits<float>::infinity());
  CHECK(std::isnan(fromHalf(0x7e01)));
}

TEST_CASE("numbers of bfloat16 are the upper halves of floats") {
  CHECK(fromBfloat16(0x3f80) == 1);
  CHECK(fromBfloat16(0xc049) == -3.140625f);
  CHECK(fromBfloat16(0x0001) == 0x1p-133f);
  CHECK(fromBfloat16(0x7f80) == std::numeric_limits<float>::infinity());
  CHECK(std::isnan(fromBfloat16(0x7fc0)));
}
