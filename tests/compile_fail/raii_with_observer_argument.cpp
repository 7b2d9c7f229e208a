// expect: withObserver\(.*expected a RunObserver and a program
// expect-errors: 1
// expect-lines: 10
#include "tapestry/raii/environment.hpp"

tapestry::RunObserver observer;
const auto program = tapestry::withObserver(observer, [] {});
