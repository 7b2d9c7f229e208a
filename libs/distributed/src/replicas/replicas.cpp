#include "tapestry/distributed/replicas.hpp"

#include <stdexcept>
#include <utility>

#include "replicas/compare_models.hpp"
#include "replicas/rank_exchange.hpp"
#include "replicas/replica_group.hpp"
#include "tapestry/raii/mask.hpp"
#include "tapestry/raii/scoped.hpp"

namespace tapestry {

namespace {

using detail::ReplicaGroup;
using Group = std::shared_ptr<ReplicaGroup>;
using Communicators = std::vector<AnyCommunicator>;

/// Yields the communicators, and as many more as are missing.
Do<Communicators> splitTimes(const AnyCommunicator& communicator, std::size_t count, Communicators all = {}) {
  if (all.size() == count) return Do<Communicators>::now(std::move(all));
  return communicator.split(0).flatMap(
      [communicator, count, all = std::move(all)](const AnyCommunicator& part) {
        Communicators more = all;
        more.push_back(part);
        return splitTimes(communicator, count, std::move(more));
      });
}

Do<std::vector<detail::Lane>> splitLanes(const AnyCommunicator& communicator, std::size_t count) {
  constexpr std::size_t width = 1 + detail::Lane::bucketsUnderWay;
  return splitTimes(communicator, count * width).map([](const Communicators& all) {
    std::vector<detail::Lane> lanes;
    for (auto at = all.begin(); at != all.end(); at += width)
      lanes.push_back({*at, Communicators(at + 1, at + width)});
    return lanes;
  });
}

/// Meets the other ranks on each lane, so that a pass of theirs does not wait for this rank.
Do<void> leave(const Group& group, std::size_t lane = 0) {
  if (group->size() == 1 || lane == group->lanes()) return Do<void>::now();
  const auto exchange = std::make_shared<detail::RankExchange>(group, 0, Clock::system());
  return exchange->leave().flatMap([group, lane, exchange] { return leave(group, lane + 1); });
}

}  // namespace

std::size_t Replicas::rank() const noexcept { return group_->rank(); }
std::size_t Replicas::size() const noexcept { return group_->size(); }
const Weights& Replicas::weights() const noexcept { return group_->weights(); }
const AnyCommunicator& Replicas::communicator() const noexcept { return group_->communicator(); }

Do<Replicas> replicate(AnyCommunicator communicator, Weights weights, ReplicaOptions options) {
  if (options.passes == 0 || options.bucketBytes == 0)
    throw std::invalid_argument("tapestry::replicate: an option is 0, got passes " +
                                std::to_string(options.passes) + " and bucketBytes " +
                                std::to_string(options.bucketBytes) + ", expected at least 1");
  const auto made = communicator.split(0).flatMap([=](const AnyCommunicator& own) {
    return detail::together(
        own, Do<Group>::delay([=] { return std::make_shared<ReplicaGroup>(own, weights, options); }),
        "replicate");
  });
  const auto ready = [options](const Group& group) {
    // ranks with other options would split another number of times
    return detail::compareModels(group)
        .flatMap([group, options] { return splitLanes(group->communicator(), options.passes); })
        .flatMap([group](const std::vector<detail::Lane>& lanes) {
          group->setLanes(lanes);
          return detail::broadcastModel(group);
        })
        .map([group] { return group; });
  };
  return mask(made.flatMap(ready).flatMap([](const Group& group) {
    return resource(Do<void>::now(), [group] { return leave(group); }).map([group] {
      return Replicas(group);
    });
  }));
}

Do<void> checkSame(const Replicas& replicas) { return detail::compareValues(replicas.group()); }

}  // namespace tapestry
