// expect: parSequence\(.*expected a std::vector of Do<A>
// expect-errors: 1
// expect-lines: 10
#include "tapestry/raii/do_tuple2.hpp"

auto program(const tapestry::Do<int>& one) { return tapestry::parSequence(one); }
