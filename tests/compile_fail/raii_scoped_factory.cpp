// expect: tapestry::scoped: expected a factory that takes no argument, f\(\)
// expect-lines: 10
#include "tapestry/raii.hpp"

void make() {
  tapestry::scoped([](int x) { return x; });
}
