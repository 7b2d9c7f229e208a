// expect: (ignoring return(ed)? value|unused-result).*return it from main
// expect-lines: 10
#include "tapestry/concurrent/asio/run_main.hpp"

int main() { tapestry::runMain(tapestry::Do<int>::now(1)); }
