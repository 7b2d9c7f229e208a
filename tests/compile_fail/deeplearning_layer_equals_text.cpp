// expect: bool operator==\(.*// expected a layer or weight, and what it can meet, or two tensors of one type
// expect-errors: 1
// expect-lines: 10
#include <string>

#include "tapestry/deeplearning.hpp"

auto layer(const tapestry::DoubleLayer& x) { return x == std::string(); }
