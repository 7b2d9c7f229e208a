#include "replicas/vote.hpp"

#include <utility>

#include "collective_call.hpp"
#include "tapestry/continuation/monad/errors.hpp"
#include "tapestry/distributed/rank_error.hpp"
#include "tapestry/distributed/wire.hpp"

namespace tapestry::detail {

namespace {

using Fields = std::pair<PassEnd, std::string>;

std::string sentenceOf(const Vote& vote, std::size_t rank) {
  const std::string who = "rank " + std::to_string(rank);
  switch (vote.end) {
    case PassEnd::fine:
      return who + " has ended its pass";
    case PassEnd::failed:
      return who + " has failed: " + vote.reason;
    case PassEnd::cancelled:
      return who + " was asked to stop";
    case PassEnd::left:
      return who + " has left its replicas";
  }
  return who;
}

}  // namespace

Vote voteOf(const std::exception_ptr& error) {
  if (errorAs<Cancelled>(error)) return {PassEnd::cancelled, {}};
  return {PassEnd::failed, textOf(error)};
}

Do<std::vector<Vote>> gatherVotes(const AnyCommunicator& communicator, const Vote& vote) {
  return communicator.allGather(toBytes(Fields(vote.end, vote.reason)))
      .map([](const std::vector<Bytes>& all) {
        std::vector<Vote> votes;
        for (const Bytes& bytes : all) {
          auto [end, reason] = fromBytes<Fields>(bytes);
          votes.push_back({end, std::move(reason)});
        }
        return votes;
      });
}

std::exception_ptr errorOfVotes(const std::vector<Vote>& votes, const std::exception_ptr& own,
                                const std::string& operation) {
  if (own) return own;
  std::vector<std::size_t> ranks;
  std::string text = "tapestry::" + operation + ": ";
  for (std::size_t rank = 0; rank < votes.size(); ++rank) {
    if (votes[rank].end == PassEnd::fine) continue;
    text += (ranks.empty() ? "" : "; ") + sentenceOf(votes[rank], rank);
    ranks.push_back(rank);
  }
  return ranks.empty() ? nullptr : std::make_exception_ptr(RankError(text, ranks));
}

}  // namespace tapestry::detail
