#include <tapestry/deeplearning/kernels/add_racing.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <thread>

using namespace tapestry;

TEST_CASE("addRacing adds each element") {
  std::array<float, 3> target{1, 2, 3};
  kernels::addRacing(target.data(), std::array<float, 3>{10, 20, 30}.data(), 3);
  CHECK(target == std::array<float, 3>{11, 22, 33});
}

TEST_CASE("threads that add to the same elements lose additions at most") {
  std::array<double, 16> target{};
  std::array<double, 16> ones{};
  ones.fill(1);
  const auto addOften = [&] {
    for (int i = 0; i < 10'000; ++i) kernels::addRacing(target.data(), ones.data(), ones.size());
  };
  {
    std::jthread first(addOften);
    std::jthread second(addOften);
  }
  for (const double x : target) {
    CHECK(x == static_cast<double>(static_cast<int>(x)));
    CHECK(x >= 1);
    CHECK(x <= 20'000);
  }
}
