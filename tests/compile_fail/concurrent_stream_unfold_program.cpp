// expect: unfold\(.*expected a state, and a const f\(const state&\), std::optional of \(item, state\)
// expect-lines: 11
// (one more than elsewhere, since g++ tells that stream.hpp includes the declaration)
#include <optional>
#include <utility>

#include "tapestry/concurrent/stream/stream.hpp"

using Item = std::optional<std::pair<int, int>>;

auto source() {
  return tapestry::Stream<int>::unfold(0, [](int) { return tapestry::Do<Item>::now({}); });
}
