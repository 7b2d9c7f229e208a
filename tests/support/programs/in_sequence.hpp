// Defines inSequence, which runs a program again and again, made afresh each time.
#pragma once

#include "tapestry/raii/do.hpp"

namespace tapestry::test {

/// Runs what step() makes so many times, one after the other, and yields how many are left then, 0.
template <class F>
Do<int> inSequence(const F& step, int left) {
  if (left == 0) return Do<int>::now(0);
  return step().flatMap([step, left](auto&&...) { return inSequence(step, left - 1); });
}

}  // namespace tapestry::test
