// expect: tapestry/raii.hpp: needs run-time type information, got -fno-rtti, expected -frtti
// expect-with: -fno-rtti
// expect-errors: 2
// expect-lines: 10
#include "tapestry/raii.hpp"
