// expect: map.*expected std::move\(program\), for its captures cannot be copied
// expect-lines: 12
// (two more than elsewhere with clang, for the operations of a program that is kept share what they say)
#include <memory>

#include "tapestry/continuation.hpp"

const auto kept =
    tapestry::now(1).map([more = std::make_unique<int>(1)](int value) { return value + *more; });
const auto program = kept.map([](int value) { return value; });
