// expect: void operator\(\)\(.*// expected derivatives \(delta\), each of which returns its operand's delta
// expect-errors: 1
// expect-lines: 10
#include "tapestry/deeplearning/operation.hpp"
#include "tapestry/deeplearning/weight.hpp"

using tapestry::Keep;
constexpr auto twice =
    tapestry::unaryOperation<"twice", Keep::nothing>([](const auto& x) { return x + x; }, [](const auto&) {});
auto layer(const tapestry::DoubleWeight& weight) { return twice(weight); }
