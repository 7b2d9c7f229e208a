// expect: resource\(.*expected a Do<A> of a copyable A, and a const f\(A&\), void or a program
// expect-lines: 10
#include <string>

#include "tapestry/raii.hpp"

const auto program = tapestry::resource(tapestry::Do<int>::now(1), [](const std::string&) {});
