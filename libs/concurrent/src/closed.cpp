#include "tapestry/concurrent/closed.hpp"

namespace tapestry {

const char* Closed::what() const noexcept { return "tapestry: it was used after it had been closed"; }

}  // namespace tapestry
