// Defines what tests of the native stack share about programs of Do: nested, stopping, sum, and
// CountedInstances.
#pragma once

#include <algorithm>
#include <functional>
#include <tuple>
#include <utility>

#include "support/threads/small_stack.hpp"
#include "tapestry/raii/do.hpp"
#include "tapestry/raii/scoped.hpp"

namespace tapestry::test {

/// Counts the instances of a resource.
struct CountedInstances {
  int open = 0;
  int released = 0;
  int mostOpen = 0;

  Do<int> make() {
    return resource(Do<int>::delay([this] {
                      mostOpen = std::max(mostOpen, ++open);
                      return 1;
                    }),
                    [this](int) {
                      --open;
                      ++released;
                    });
  }
};

using Wrap = std::function<Do<int>(const Do<int>&)>;

/// The program in `depth` wraps, one within the other.
inline Do<int> nested(const Wrap& wrap, Do<int> program = Do<int>::now(1)) {
  for (int i = 0; i < depth; ++i) program = wrap(program);
  return program;
}

/// Asks its run to stop, and then checks for the request.
inline Do<int> stopping(const StopSource& source) {
  return Do<void>::delay([source] { source.requestStop(); }).flatMap([] { return Do<int>::now(1); });
}

inline int sum(const std::tuple<int, int>& both) { return std::get<0>(both) + std::get<1>(both); }

}  // namespace tapestry::test
