// Defines DirectStacks, which sets the size of the stacks of blocks for as long as it lives.
#pragma once

#include <cstddef>

#include "tapestry/continuation/direct/direct.hpp"

namespace tapestry::test {

class DirectStacks {
 public:
  explicit DirectStacks(std::size_t bytes) { setDirectStackSize(bytes); }
  DirectStacks(const DirectStacks&) = delete;
  DirectStacks& operator=(const DirectStacks&) = delete;
  ~DirectStacks() { setDirectStackSize(before_); }

  /// More than there is to be had.
  static constexpr std::size_t tooLarge = std::size_t{1} << 56;

 private:
  const std::size_t before_ = directStackSize();
};

/// The bytes of stack that so many calls within each other have taken, each of which at least 1 KiB.
[[gnu::noinline]] inline std::ptrdiff_t takeStack(int calls, const volatile char* outermost = nullptr) {
  const volatile char here[1024] = {};
  const auto* const outer = outermost ? outermost : here;
  return calls == 0 ? outer - here : takeStack(calls - 1, outer) + here[0];
}

}  // namespace tapestry::test
