// expect: void operator\(\)\(.*// expected derivatives \(delta, operands' shapes\.\.\.\), of Keep::shapes
// expect-errors: 1
// expect-lines: 10
#include "tapestry/deeplearning.hpp"

using tapestry::Keep;
constexpr auto both = tapestry::binaryOperation<"both", Keep::shapes>(
    [](const auto& x, const auto& y) { return x + y; }, [](const auto& delta) { return delta; },
    [](const auto& delta) { return delta; });
auto layer(const tapestry::DoubleWeight& weight) { return both(weight, weight); }
