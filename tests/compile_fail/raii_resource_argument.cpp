// expect: tapestry::resource: expected a Do and a release function
// expect-errors: 1
// expect-lines: 10
#include "tapestry/raii.hpp"

const auto program = tapestry::resource([] { return 5; }, [](int) {});
