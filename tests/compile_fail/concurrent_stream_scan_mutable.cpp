// expect: scan\(.*expected a state that can be copied, and a const f\(state, item\), the next state
// expect-lines: 10
#include "tapestry/concurrent/stream/stream.hpp"

auto stages(const tapestry::Stream<int>& stream) {
  return stream.scan(0, [n = 0](int sum, int x) mutable { return sum + x + n++; });
}
