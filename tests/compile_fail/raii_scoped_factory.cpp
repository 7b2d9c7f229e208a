// expect: tapestry::scoped: expected a factory that takes no argument, f\(\)
#include "tapestry/raii.hpp"

void make() {
  tapestry::scoped([](int x) { return x; });
}
