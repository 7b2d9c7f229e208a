// expect: unfoldDo\(.*expected a state, and a const f\(const state&\), Do of a std::optional of a pair
// expect-lines: 11
// (one more than elsewhere, since g++ tells that stream.hpp includes the declaration)
#include <optional>
#include <utility>

#include "tapestry/concurrent/stream/stream.hpp"

auto source() {
  return tapestry::Stream<int>::unfoldDo(0, [](int n) { return std::optional(std::pair(n, n + 1)); });
}
