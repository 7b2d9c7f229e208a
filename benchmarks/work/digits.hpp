// Defines trainingDigits, the digits of the rows that are trained on some.
#pragma once

#include "support/digits.hpp"

namespace tapestry::benchmarks {

/// MNIST's 60,000 if the build knows where they are, and else as many drawn.
examples::Digits trainingDigits();

}  // namespace tapestry::benchmarks
