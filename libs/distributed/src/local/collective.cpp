#include "local/collective.hpp"

#include <algorithm>
#include <map>

#include "local/group.hpp"

namespace tapestry::detail {

void LocalTimer::start(Clock& clock, Clock::Duration duration, std::shared_ptr<LocalCollective> owner) {
  owner_ = std::move(owner);
  clock_ = &clock;
  clock.start(*this, extend::later(clock.now(), duration));
}

void LocalTimer::cancel() noexcept {
  if (clock_ && clock_->cancel(*this)) owner_.reset();
}

void LocalTimer::expired() noexcept {
  const auto owner = std::move(owner_);  // destroyed last, and this with it
  function_(owner);
}

LocalCollective::LocalCollective(std::shared_ptr<LocalGroup> itsGroup, std::uint64_t itsNumber)
    : group(std::move(itsGroup)), number(itsNumber), arrivals(group->size()) {}

std::vector<std::size_t> LocalCollective::missing() const {
  std::vector<std::size_t> ranks;
  for (std::size_t rank = 0; rank < arrivals.size(); ++rank)
    if (!arrivals[rank]) ranks.push_back(rank);
  return ranks;
}

std::optional<Failure> LocalCollective::mismatch() const {
  return mismatchAmong(arrivals.size(), [this](std::size_t rank) { return arrivals[rank]->call; });
}

void LocalCollective::complete(Clock& clock) {
  limit.cancel();
  try {
    end(clock);
  } catch (...) {  // of the last rank's memory, or its delay; all ranks wait for the end
    finish(Failure{Failure::Kind::system, textOf(std::current_exception())});
  }
}

void LocalCollective::end(Clock& clock) {
  if (auto failure = mismatch()) return finish(std::move(failure));
  compute();
  Clock::Duration delay{0};
  if (group->options->delay) {
    std::size_t most = 0;
    for (const auto& arrival : arrivals) most = std::max(most, arrival->bytes.size());
    delay = group->options->delay(most);
  }
  if (delay > Clock::Duration::zero()) return delay_.start(clock, delay, shared_from_this());
  finish();
}

void LocalCollective::compute() {
  const CollectiveCall& call = arrivals.front()->call;
  if (call.kind == CollectiveKind::split) return split();
  if (call.kind != CollectiveKind::allReduce) return;
  const auto first = arrivals.front()->bytes;
  reduced_.assign(first.begin(), first.end());
  for (std::size_t rank = 1; rank < arrivals.size(); ++rank)
    reduceInto(reduced_, arrivals[rank]->bytes, call.element, call.op);
}

void LocalCollective::split() {
  std::map<std::size_t, std::vector<std::size_t>> ranksOf;
  for (std::size_t rank = 0; rank < arrivals.size(); ++rank) ranksOf[arrivals[rank]->color].push_back(rank);
  parts_.resize(arrivals.size());
  for (const auto& [color, ranks] : ranksOf) {
    auto part = makeLocalRanks(ranks.size(), group->options);
    for (std::size_t i = 0; i < ranks.size(); ++i) parts_[ranks[i]] = std::move(part[i]);
  }
}

void LocalCollective::fail(Failure failure) {
  limit.cancel();
  finish(std::move(failure));
}

void LocalCollective::overdue(const std::shared_ptr<LocalCollective>& self) noexcept {
  self->group->overdue(*self);
}

}  // namespace tapestry::detail
