// expect: tapestry::map: the function does not accept the program.s value
// expect-errors: 1
// expect-lines: 10
#include "tapestry/continuation.hpp"

const tapestry::UnitContinuation<std::size_t> program =
    tapestry::now(1)
        .flatMap([](int x) { return tapestry::now(x).map([](std::string s) { return s; }); })
        .map([](std::string s) { return s.size(); });
