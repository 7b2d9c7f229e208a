// expect: background\(.*expected a Do whose value is no program: flatMap for map
// expect-lines: 10
#include "tapestry/concurrent/background.hpp"

const auto task =
    tapestry::background(tapestry::Do<int>::now(1).map([](int) { return tapestry::Do<void>::now(); }));
