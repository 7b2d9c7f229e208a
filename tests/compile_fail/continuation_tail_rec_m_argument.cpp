// expect: tapestry::tailRecM: the body does not accept the state, expected f\(state\)
// expect-lines: 10
#include <string>

#include "tapestry/continuation.hpp"

const auto program = tapestry::tailRecM(
    1, [](const std::string& state) { return tapestry::now(tapestry::Step<std::string, int>::next(state)); });
