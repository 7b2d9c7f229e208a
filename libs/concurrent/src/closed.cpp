#include "tapestry/concurrent/closed.hpp"

namespace tapestry {

const char* Closed::what() const noexcept {
  return "tapestry: a channel, broadcast, supervisor or dispatcher was used after it had been closed";
}

}  // namespace tapestry
