// expect: local\(.*expected local<Slot>\(value of the slot, program\)
// expect-errors: 1
// expect-lines: 10
#include "tapestry/continuation/environment.hpp"

struct Depth {
  using Type = int;
  static int initial() { return 0; }
};

const auto program = tapestry::local<Depth>(1, 5);
