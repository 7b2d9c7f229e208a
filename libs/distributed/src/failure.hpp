// Defines Failure, why a collective fails on all ranks.
#pragma once

#include <exception>
#include <string>
#include <vector>

namespace tapestry::detail {

struct Failure {
  enum class Kind {
    rank,      ///< a RankError about the ranks
    argument,  ///< an std::invalid_argument: the ranks call differently
    system     ///< an std::runtime_error: MPI has reported an error
  };

  Kind kind = Kind::argument;
  std::string text;
  std::vector<std::size_t> ranks = {};

  /// A new exception each time, since each run adds its places to the trace.
  std::exception_ptr toException() const;
};

}  // namespace tapestry::detail
