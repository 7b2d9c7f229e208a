// expect: no match for .operator\+.|invalid operands to binary expression
#include <string>

#include "tapestry/deeplearning.hpp"

auto layer(const tapestry::DoubleLayer& x) { return x + std::string(); }
