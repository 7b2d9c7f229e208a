// expect: resource\(.*expected a Do<A>, A copyable, and f\(A&\), const, nothing or a program
// expect-errors: 1
// expect-lines: 10
#include "tapestry/raii.hpp"

const auto program = tapestry::resource([] { return 5; }, [](int) {});
