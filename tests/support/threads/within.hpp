// Defines within, by which a test waits for what another thread does, though not for ever.
#pragma once

#include <chrono>
#include <thread>

namespace tapestry::test {

/// Waits for the condition, without a sleep; false if it was in vain.
template <class F>
bool within(std::chrono::nanoseconds time, const F& condition) {
  const auto end = std::chrono::steady_clock::now() + time;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::yield();
  }
  return true;
}

}  // namespace tapestry::test
