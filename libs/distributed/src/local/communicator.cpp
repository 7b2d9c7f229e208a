#include <stdexcept>
#include <utility>

#include "current_place.hpp"
#include "local/group.hpp"

namespace tapestry {

namespace detail {

namespace {

using LocalRef = std::shared_ptr<LocalRank>;

using Ended = std::shared_ptr<LocalCollective>;

/// The end of the rank's next collective. `arrival()` is called when it begins.
template <class F>
Do<Ended> collectiveOf(const LocalRef& rank, F arrival) {
  return maskedAtPlace([rank, arrival](const RunPlace& place) -> Do<Ended> {
    LocalArrival own = arrival();
    const char* const name = waitNameOf(own.call.kind);
    const auto collective = rank->group->arrive(rank->rank, std::move(own), *place.clock);
    return extend::waitFor<void, PendingWaiter>(collective, name, extend::Location{}).map([collective] {
      return collective;
    });
  });
}

/// An arrival with bytes that it owns.
LocalArrival arrivalWith(const CollectiveCall& call, const std::shared_ptr<const Bytes>& bytes) {
  return {call, bytes, *bytes, 0};
}

/// The end of a collective to which this rank brings the bytes.
Do<Ended> collectiveWith(const LocalRef& rank, CollectiveKind kind, std::size_t root, Bytes bytes) {
  const CollectiveCall call{.kind = kind, .root = root};
  const auto kept = std::make_shared<const Bytes>(std::move(bytes));
  return collectiveOf(rank, [call, kept] { return arrivalWith(call, kept); });
}

std::vector<Bytes> bytesOfAll(const LocalCollective& collective) {
  std::vector<Bytes> all;
  for (const auto& arrival : collective.arrivals)
    all.emplace_back(arrival->bytes.begin(), arrival->bytes.end());
  return all;
}

}  // namespace

}  // namespace detail

std::size_t LocalCommunicator::rank() const noexcept { return rank_->rank; }
std::size_t LocalCommunicator::size() const noexcept { return rank_->group->size(); }
Clock::Duration LocalCommunicator::timeLimit() const noexcept { return rank_->group->options->timeLimit; }

Do<void> LocalCommunicator::allReduce(ReducedElements values, ReduceOp op,
                                      std::shared_ptr<const void> owner) const {
  if (size() == 1) return Do<void>::now();
  const std::span<std::byte> bytes = detail::bytesOf(values);
  return detail::collectiveOf(rank_,
                              [call = detail::reductionOf(values, op), bytes, owner = std::move(owner)] {
                                if (owner) return detail::LocalArrival{call, owner, bytes, 0};
                                return detail::arrivalWith(
                                    call, std::make_shared<const Bytes>(bytes.begin(), bytes.end()));
                              })
      .map([bytes](const detail::Ended& collective) {
        std::ranges::copy(collective->reduced(), bytes.begin());
      });
}

Do<Bytes> LocalCommunicator::broadcast(Bytes bytes, std::size_t root) const {
  return detail::collectiveWith(rank_, detail::CollectiveKind::broadcast, root,
                                root == rank() ? std::move(bytes) : Bytes())
      .map([root](const detail::Ended& collective) {
        const auto sent = collective->arrivals[root]->bytes;
        return Bytes(sent.begin(), sent.end());
      });
}

Do<std::vector<Bytes>> LocalCommunicator::gather(Bytes bytes, std::size_t root) const {
  return detail::collectiveWith(rank_, detail::CollectiveKind::gather, root, std::move(bytes))
      .map([isRoot = root == rank()](const detail::Ended& collective) {
        return isRoot ? detail::bytesOfAll(*collective) : std::vector<Bytes>();
      });
}

Do<std::vector<Bytes>> LocalCommunicator::allGather(Bytes bytes) const {
  return detail::collectiveWith(rank_, detail::CollectiveKind::allGather, 0, std::move(bytes))
      .map([](const detail::Ended& collective) { return detail::bytesOfAll(*collective); });
}

Do<void> LocalCommunicator::barrier() const {
  if (size() == 1) return Do<void>::now();
  const auto ended = detail::collectiveWith(rank_, detail::CollectiveKind::barrier, 0, {});
  return ended.map([](const detail::Ended&) {});
}

Do<LocalCommunicator> LocalCommunicator::split(std::size_t color) const {
  const detail::CollectiveCall call{.kind = detail::CollectiveKind::split};
  return detail::collectiveOf(rank_,
                              [call, color] {
                                return detail::LocalArrival{call, nullptr, {}, color};
                              })
      .map([me = rank()](const detail::Ended& collective) {
        return detail::LocalRank::communicatorOf(collective->takePart(me));
      });
}

Do<void> LocalCommunicator::send(Bytes bytes, std::size_t to, int tag) const {
  return Do<void>::delay([rank = rank_, bytes = std::move(bytes), to, tag] {
    detail::checkRank("send", to, rank->group->size());
    detail::checkTag("send", tag);
    rank->group->mailbox(to).put({{rank->rank, bytes}, tag});
  });
}

Do<Message> LocalCommunicator::receive(std::optional<std::size_t> from, int tag) const {
  return Do<Message>::suspend([rank = rank_, from, tag] {
    if (from) detail::checkRank("receive", *from, rank->group->size());
    detail::checkTag("receive", tag);
    return extend::waitFor<Message, detail::LocalReceiving>({rank, from, tag}, "Communicator::receive",
                                                            extend::Location{});
  });
}

std::vector<LocalCommunicator> localCommunicators(std::size_t size, LocalOptions options) {
  if (size == 0)
    throw std::invalid_argument(
        "tapestry::localCommunicators: there are no ranks, got 0, expected 1 or more");
  std::vector<LocalCommunicator> all;
  for (auto& rank : detail::makeLocalRanks(size, std::make_shared<const LocalOptions>(std::move(options))))
    all.push_back(detail::LocalRank::communicatorOf(std::move(rank)));
  return all;
}

}  // namespace tapestry
