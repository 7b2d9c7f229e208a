// Defines Vote, the message about a failed pass that each rank sends to all other ranks.
#pragma once

#include <cstdint>
#include <exception>
#include <string>
#include <vector>

#include "tapestry/distributed/any_communicator.hpp"

namespace tapestry::detail {

enum class PassEnd : std::uint8_t {
  fine,
  failed,
  cancelled,
  left  ///< the rank has left the scope of its replicas, and takes part in no later pass
};

struct Vote {
  PassEnd end = PassEnd::fine;
  std::string reason;  ///< of a pass that has failed
};

/// The end and the reason of a pass that has failed with the error.
Vote voteOf(const std::exception_ptr& error);

/// Yields the votes of all ranks, in order.
Do<std::vector<Vote>> gatherVotes(const AnyCommunicator& communicator, const Vote& vote);

/// Returns the error of a rank that sees the votes of all ranks, in order: its own error if it has one, a
/// RankError if another rank has failed, and else null. `operation` is named in the message.
std::exception_ptr errorOfVotes(const std::vector<Vote>& votes, const std::exception_ptr& own,
                                const std::string& operation = "train");

}  // namespace tapestry::detail
