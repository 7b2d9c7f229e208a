#include "failure.hpp"

#include <stdexcept>

#include "tapestry/distributed/rank_error.hpp"

namespace tapestry::detail {

std::exception_ptr Failure::toException() const {
  switch (kind) {
    case Kind::rank:
      return std::make_exception_ptr(RankError(text, ranks));
    case Kind::argument:
      return std::make_exception_ptr(std::invalid_argument(text));
    case Kind::system:
      break;
  }
  return std::make_exception_ptr(std::runtime_error(text));
}

}  // namespace tapestry::detail
