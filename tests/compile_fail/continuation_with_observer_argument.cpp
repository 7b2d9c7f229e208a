// expect: withObserver\(.*expected a RunObserver and a program
// expect-errors: 1
// expect-lines: 10
#include "tapestry/continuation/run_observer.hpp"

tapestry::RunObserver observer;
const auto program = tapestry::withObserver(observer, 5);
