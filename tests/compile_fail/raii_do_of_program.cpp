// expect: (could not convert|no viable conversion) .*Now<int>.* to .*Do<int>
// expect-errors: 1
// expect-lines: 14
// (no fewer, as in continuation_erase_wrong_value.cpp)
#include "tapestry/raii.hpp"

const auto function = [](int x) -> tapestry::Do<int> { return tapestry::now(x); };
