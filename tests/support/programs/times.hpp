// Defines times, which runs a program so many times, in one scope.
#pragma once

#include "tapestry/raii/do.hpp"

namespace tapestry::test {

inline Do<void> times(int count, const Do<void>& program) {
  return Do<void>::suspend([count, program] {
    return count == 0 ? Do<void>::now()
                      : program.flatMap([count, program] { return times(count - 1, program); });
  });
}

}  // namespace tapestry::test
