// expect: void inMode\(.*// expected a Mode, and a Do
// expect-errors: 1
// expect-lines: 10
#include "tapestry/deeplearning.hpp"

const auto program = tapestry::inMode(tapestry::Mode::train, 1);
