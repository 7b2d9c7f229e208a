// expect: resource\(.*expected a Do<A> of a copyable A, and a const f\(A&\), void or a program
// expect-errors: 1
// expect-lines: 10
#include "tapestry/raii.hpp"

const auto program = tapestry::resource([] { return 5; }, [](int) {});
