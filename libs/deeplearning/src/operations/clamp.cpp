#include "tapestry/deeplearning/operations/arithmetic/clamp.hpp"

#include <sstream>
#include <stdexcept>

namespace tapestry::detail {

void requireBounds(double low, double high) {
  if (low <= high) return;
  std::ostringstream message;
  message << "tapestry::clamp: the bounds are in the wrong order, got " << low << " and " << high
          << ", expected low <= high";
  throw std::invalid_argument(message.str());
}

}  // namespace tapestry::detail
