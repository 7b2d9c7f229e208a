// Defines onThreads, by which a test does the same on several threads at once.
#pragma once

#include <thread>
#include <vector>

namespace tapestry::test {

/// Calls function(number of the thread) on so many threads, and waits for all of them.
template <class F>
void onThreads(int count, const F& function) {
  std::vector<std::jthread> threads;
  for (int i = 0; i < count; ++i) threads.emplace_back([&function, i] { function(i); });
}

}  // namespace tapestry::test
