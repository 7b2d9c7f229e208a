// expect: fold\(.*expected a state that can be copied, and a const f\(state, item\), the next state
// expect-lines: 11
// (one more than elsewhere, since g++ tells that stream.hpp includes the declaration)
#include "tapestry/concurrent/stream/stream.hpp"

auto stages(const tapestry::Stream<int>& stream) {
  return stream.fold([](int sum, int x) { return sum + x; });
}
