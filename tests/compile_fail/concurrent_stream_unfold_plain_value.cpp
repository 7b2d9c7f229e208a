// expect: unfold\(.*expected a state, and a const f\(const state&\), std::optional of \(item, state\)
// expect-lines: 11
// (one more than elsewhere, since g++ tells that stream.hpp includes the declaration)
#include "tapestry/concurrent/stream/stream.hpp"

auto source() {
  return tapestry::Stream<int>::unfold(0, [](int n) { return n + 1; });
}
