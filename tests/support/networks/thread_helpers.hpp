// Defines ThreadHelpers, which shares the parts of a kernel among threads of its own.
#pragma once

#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

#include "tapestry/tensor/for_each_part.hpp"

namespace tapestry::test {

/// Starts `threads` threads for each call of share, beside the calling one; with 0 the caller does all parts.
class ThreadHelpers final : public Helpers {
 public:
  explicit ThreadHelpers(std::size_t threads) noexcept : threads_(threads) {}

  void share(std::size_t count, Part part, const void* work) noexcept override {
    ++calls;
    std::atomic<std::size_t> next = 0;
    const auto claim = [&] {
      for (std::size_t i; (i = next++) < count;) part(work, i);
    };
    std::vector<std::jthread> others;
    for (std::size_t i = 0; i < threads_; ++i) others.emplace_back(claim);
    claim();
  }

  std::atomic<int> calls = 0;  ///< of share

 private:
  const std::size_t threads_;
};

}  // namespace tapestry::test
