// expect: timeout\(.*expected a program and a std::chrono::duration; for a Do raii/timeout.hpp
// expect-errors: 1
// expect-lines: 10
#include <chrono>

#include "tapestry/continuation/parallel/timeout.hpp"
#include "tapestry/raii/do.hpp"

const auto program = tapestry::timeout(tapestry::Do<int>::now(1), std::chrono::seconds(1));
