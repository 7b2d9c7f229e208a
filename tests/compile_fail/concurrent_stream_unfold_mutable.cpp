// expect: unfold\(.*expected a state, and a const f\(const state&\), std::optional of \(item, state\)
// expect-lines: 11
// (one more than elsewhere, since g++ tells that stream.hpp includes the declaration)
#include <optional>
#include <utility>

#include "tapestry/concurrent/stream/stream.hpp"

auto source() {
  auto step = [k = 0](int n) mutable { return std::optional(std::pair(n, n + k++)); };
  return tapestry::Stream<int>::unfold(0, step);
}
