// expect: void operator\(\)\(.*// expected derivatives \(delta, operands\.\.\.\), of Keep::operands
// expect-errors: 1
// expect-lines: 10
#include "tapestry/deeplearning/operation.hpp"
#include "tapestry/deeplearning/weight.hpp"

using tapestry::Keep;
constexpr auto twice = tapestry::unaryOperation<"twice", Keep::operands>(
    [](const auto& x) { return x + x; }, [](const auto& delta) { return delta + delta; });
auto layer(const tapestry::DoubleWeight& weight) { return twice(weight); }
