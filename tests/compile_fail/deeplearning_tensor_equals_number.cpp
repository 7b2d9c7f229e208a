// expect: bool operator==\(.*// expected a layer or weight, and what it can meet, or two tensors of one type
// expect-errors: 1
// expect-lines: 10
#include "tapestry/deeplearning.hpp"

auto same(const tapestry::Tensor<float>& x) { return x == 0; }
