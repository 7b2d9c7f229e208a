#include "support/workers.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>

namespace tapestry::examples {
namespace {

/// Yields whether two parallel branches have met, which takes two threads. Each gives up after `turns` ms.
Do<bool> meeting(std::atomic<int>& arrived, int turns) {
  const auto branch = Do<bool>::delay([&arrived, turns] {
    ++arrived;
    for (int i = 0; i < turns && arrived < 2; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return arrived == 2;
  });
  return tuple2(parallel(branch.run()), parallel(branch.run())).map([](const auto& met) {
    return std::get<0>(met) && std::get<1>(met);
  });
}

TEST_CASE("With one thread, the caller does all the work") {
  const Workers workers(1);
  std::atomic<int> arrived{0};
  CHECK_FALSE(workers.run(meeting(arrived, 20)));
  const auto here = std::this_thread::get_id();
  CHECK(workers.run(Do<std::thread::id>::delay([] { return std::this_thread::get_id(); })) == here);
}

TEST_CASE("With two threads, a second thread helps the caller") {
  const Workers workers(2);
  std::atomic<int> arrived{0};
  CHECK(workers.run(meeting(arrived, 10'000)));
}

TEST_CASE("The error of a program is thrown where it is run") {
  for (const std::size_t threads : {1, 2})
    CHECK_THROWS_WITH(Workers(threads).run(Do<int>::raiseError(std::runtime_error("no value"))), "no value");
}

}  // namespace
}  // namespace tapestry::examples
