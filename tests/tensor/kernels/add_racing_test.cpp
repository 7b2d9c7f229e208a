#include <tapestry/tensor/kernels/add_racing.hpp>

#include <doctest/doctest.h>

#include <array>

using namespace tapestry;

TEST_CASE("addRacing adds each element") {
  std::array<float, 3> target{1, 2, 3};
  kernels::addRacing(target.data(), std::array<float, 3>{10, 20, 30}.data(), 3);
  CHECK(target == std::array<float, 3>{11, 22, 33});
}
