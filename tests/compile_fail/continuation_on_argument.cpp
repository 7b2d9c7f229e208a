// expect: on\(.*expected an Executor and a program
// expect-errors: 1
// expect-lines: 10
#include "tapestry/continuation/on.hpp"

const auto program = tapestry::on(tapestry::Executor::inlined(), [] {});
