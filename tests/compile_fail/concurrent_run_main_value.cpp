// expect: runMain\(.*expected a Do<void> or Do<int>, an Executor or io_context, RunMainOptions
// expect-lines: 10
#include <string>

#include "tapestry/concurrent/asio/run_main.hpp"

int main() { return tapestry::runMain(tapestry::Do<std::string>::now("done")); }
