// expect: await\(.*expected a program, a tuple or pair of programs, or a type with toProgram\(x\)
// expect-lines: 10
#include "tapestry/continuation/direct/direct.hpp"

using tapestry::UnitContinuation;

const auto program =
    tapestry::direct<UnitContinuation>([] { tapestry::await(std::pair(1, tapestry::now(2))); });
