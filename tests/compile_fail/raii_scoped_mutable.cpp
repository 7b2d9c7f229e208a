// expect: tapestry::scoped: .*const, not mutable
// expect-lines: 10
#include "tapestry/raii/scoped.hpp"

auto program() {
  return tapestry::scoped([n = 0]() mutable { return n++; }, [](int&) {});
}
