// expect: void operator\(\)\(.*// expected a Differentiable that all parts take
// expect-errors: 1
// expect-lines: 10
#include "tapestry/deeplearning.hpp"

auto layer(tapestry::Generator& generator) {
  return tapestry::sequential(tapestry::Dense<>(2, 3, generator), tapestry::operations::relu)(1.0);
}
