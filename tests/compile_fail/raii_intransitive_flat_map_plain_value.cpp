// expect: tapestry::Do::intransitiveFlatMap: the function does not return a Do, use intransitiveMap for plain
// expect-lines: 10
#include "tapestry/raii.hpp"

void make() {
  tapestry::Do<int>::now(1).intransitiveFlatMap([](int x) { return x; });
}
