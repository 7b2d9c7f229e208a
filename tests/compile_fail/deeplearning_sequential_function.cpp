// expect: void sequential\(.*// expected functions: for relu write operations::relu, for others a lambda
// expect-errors: 1
// expect-lines: 10
#include "tapestry/deeplearning.hpp"

using tapestry::Dense;
auto model(tapestry::Generator& generator) {
  return tapestry::sequential(Dense<>(2, 3, generator), tapestry::relu, Dense<>(3, 1, generator));
}
