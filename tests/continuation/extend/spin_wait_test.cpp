#include "tapestry/continuation/extend/spin_wait.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <thread>
#include <vector>

using namespace tapestry;
using namespace std::chrono_literals;

TEST_CASE("a spin wait tells the time since its first pause") {
  const auto before = std::chrono::steady_clock::now();
  extend::SpinWait wait;
  CHECK(wait.pause() == 0ns);
  std::chrono::nanoseconds passed = 0ns;
  while (passed < 200us) {
    const auto now = wait.pause();
    CHECK(now >= passed);
    passed = now;
  }
  CHECK(std::chrono::steady_clock::now() - before >= passed);
}

TEST_CASE("more threads than processors that wait for each other in turn go on") {
  constexpr int turns = 100, threads = 8;
  std::atomic<int> turn{0};
  const auto take = [&](int mine) {
    for (int i = 0; i < turns; ++i) {
      for (extend::SpinWait wait; turn.load() % threads != mine;) wait.pause();
      ++turn;
    }
  };
  std::vector<std::thread> others;
  for (int i = 1; i < threads; ++i) others.emplace_back(take, i);
  take(0);
  for (auto& other : others) other.join();
  CHECK(turn == turns * threads);
}
