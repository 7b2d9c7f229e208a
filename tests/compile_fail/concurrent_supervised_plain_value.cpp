// expect: supervised\(.*expected a function f\(const Supervisor&\), const, that returns a Do
// expect-lines: 10
#include "tapestry/concurrent/supervisor.hpp"

const auto program = tapestry::supervised([](const tapestry::Supervisor&) { return 1; });
