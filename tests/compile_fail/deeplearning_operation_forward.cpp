// expect: void operator\(\)\(.*// expected Differentiable operands whose data `forward` takes
// expect-errors: 1
// expect-lines: 10
#include "tapestry/deeplearning/operation.hpp"
#include "tapestry/deeplearning/weight.hpp"

constexpr auto same = [](const auto& value) { return value; };
constexpr auto both = tapestry::binaryOperation<"both", tapestry::Keep::nothing>(same, same, same);
auto layer(const tapestry::DoubleWeight& weight) { return both(weight, weight); }
