// expect: (could not convert|no viable conversion) .*Do<int>.* to .*Do<std::(__cxx11::)?(basic_)?string
// expect-errors: 1
// expect-lines: 14
// (no fewer, as in continuation_erase_wrong_value.cpp)
#include <string>

#include "tapestry/raii.hpp"

tapestry::Do<std::string> program() { return tapestry::Do<int>::now(1); }
