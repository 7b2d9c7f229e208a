// Defines Share, the part of one process in what several do.
#pragma once

#include <cstddef>

namespace tapestry::examples {

/// This process among all that train.
struct Share {
  std::size_t rank = 0;
  std::size_t ranks = 1;
};

}  // namespace tapestry::examples
