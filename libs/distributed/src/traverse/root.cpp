#include <algorithm>
#include <ranges>

#include "collective_call.hpp"
#include "tapestry/continuation/sleep_for.hpp"
#include "tapestry/raii/lift.hpp"
#include "tapestry/raii/mask.hpp"
#include "tapestry/raii/par_for_each.hpp"
#include "tapestry/raii/race.hpp"
#include "tapestry/raii/repeat.hpp"
#include "traverse/traversal.hpp"

namespace tapestry::detail {

namespace {

/// Ticks of silence after which a rank is lost; a tick is a quarter of the time limit.
constexpr int lostAfterTicks = 5;

/// Runs program(0) to program(count - 1), one after the other.
Do<void> forRanks(std::size_t count, std::function<Do<void>(std::size_t)> program) {
  return parForEach(std::views::iota(std::size_t{0}, count), 1, std::move(program));
}

}  // namespace

TraverseRoot::TraverseRoot(AnyCommunicator communicator, std::size_t count)
    : communicator_(std::move(communicator)), count_(count), ranks_(communicator_.size()) {}

Do<void> TraverseRoot::run() {
  const auto self = shared_from_this();
  // masked: the end of the messages must not end a tick before all ranks have its verdict
  const auto ticks = forever(
      tapestry::lift(sleepFor(aliveInterval(communicator_))).flatMap([self] { return mask(self->tick()); }));
  const auto isOver = [self] {
    const std::lock_guard lock(self->mutex_);
    return std::ranges::all_of(self->ranks_, &Rank::ended);
  };
  const auto messages =
      repeatUntil(next().map([isOver] { return isOver(); }), [](bool over) { return over; });
  return race(messages, ticks).run().flatMap([self](const auto&) {
    // from here on, the messages of a rank belong to its next traversal
    return forRanks(self->communicator_.size(), [self](std::size_t to) {
      if (std::ranges::find(self->lost_.ranks, to) != self->lost_.ranks.end()) return Do<void>::now();
      return self->communicator_.send(toBytes(std::optional(self->lost_)), to, traverseControlTag);
    });
  });
}

Do<void> TraverseRoot::next() {
  return communicator_.receive(std::nullopt, traverseUpTag)
      .flatMap([self = shared_from_this()](const Message& message) {
        {
          const std::lock_guard lock(self->mutex_);
          self->ranks_[message.from].silentTicks = 0;
          self->ranks_[message.from].came = true;
        }
        return self->report(message.from, fromBytes<TraverseMessage>(message.bytes));
      });
}

Do<void> TraverseRoot::report(std::size_t from, const TraverseMessage& message) {
  const auto& [what, number, text] = message;
  switch (what) {
    case TraverseReport::idle:
      return handOut(from, number);
    case TraverseReport::finished: {
      const std::lock_guard lock(mutex_);
      ++finished_;
      break;
    }
    case TraverseReport::failed:
      return judge({{from},
                    "tapestry::parTraverseRanks: rank " + std::to_string(from) + " has failed at element " +
                        std::to_string(number) + ": " + text});
    case TraverseReport::stopped:
      return judge(
          {{from}, "tapestry::parTraverseRanks: rank " + std::to_string(from) + " was asked to stop"});
    case TraverseReport::alive:
      return Do<void>::now();
    case TraverseReport::last: {
      const std::lock_guard lock(mutex_);
      ranks_[from].ended = true;
      return Do<void>::now();
    }
  }
  return judgeSuccess();
}

Do<void> TraverseRoot::judgeSuccess() {
  {
    const std::lock_guard lock(mutex_);
    // a rank that has not come would not come to the exchange of results either
    if (!std::ranges::all_of(ranks_, &Rank::came) || finished_ < count_) return Do<void>::now();
  }
  return judge({});
}

Do<void> TraverseRoot::handOut(std::size_t to, std::uint64_t countThere) {
  {
    const std::lock_guard lock(mutex_);
    if (verdict_) return answer(to, std::nullopt);
    if (countThere == count_ && next_ < count_) return answer(to, next_++);
    ++ranks_[to].idleLanes;  // the verdict answers the lane
  }
  if (countThere == count_) return judgeSuccess();
  return judge({{to},
                "tapestry::parTraverseRanks: the ranges differ, got " + std::to_string(countThere) +
                    " elements on rank " + std::to_string(to) + ", expected " + std::to_string(count_) +
                    " as on rank 0"});
}

Do<void> TraverseRoot::answer(std::size_t to, std::optional<std::uint64_t> index) {
  return communicator_.send(toBytes(index), to, traverseWorkTag);
}

Do<void> TraverseRoot::judge(TraverseVerdict verdict) {
  {
    const std::lock_guard lock(mutex_);
    if (verdict_) return Do<void>::now();
    verdict_ = std::move(verdict);
  }
  return forRanks(communicator_.size(),
                  [self = shared_from_this()](std::size_t to) { return self->endRank(to); });
}

Do<void> TraverseRoot::endRank(std::size_t to) {
  const std::lock_guard lock(mutex_);
  const auto self = shared_from_this();
  return communicator_.send(toBytes(verdict_), to, traverseControlTag)
      .flatMap([self, to, lanes = std::exchange(ranks_[to].idleLanes, 0)] {
        return forRanks(lanes, [self, to](std::size_t) { return self->answer(to, std::nullopt); });
      });
}

Do<void> TraverseRoot::tick() {
  std::vector<std::size_t> lost;
  {
    const std::lock_guard lock(mutex_);
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank)
      if (!ranks_[rank].ended && ++ranks_[rank].silentTicks > lostAfterTicks) lost.push_back(rank);
    // a lost rank sends no last message; without it the loop of messages would wait for ever
    for (const std::size_t rank : lost) ranks_[rank].ended = true;
  }
  const auto self = shared_from_this();
  const auto alive = forRanks(communicator_.size(), [self](std::size_t to) {
    return self->communicator_.send(toBytes(std::optional<TraverseVerdict>()), to, traverseControlTag);
  });
  if (lost.empty()) return alive;
  lost.insert(lost.begin(), lost_.ranks.begin(), lost_.ranks.end());
  std::ranges::sort(lost);
  lost_ = {lost,
           "tapestry::parTraverseRanks: " + nameOfRanks(lost) + (lost.size() > 1 ? " were" : " was") +
               " not heard from within " + secondsOf(communicator_.timeLimit()),
           true};
  // the message wakes the loop of messages, which may wait for the lost rank alone
  return judge(lost_).flatMap([self] {
    return self->communicator_.send(toBytes(TraverseMessage{TraverseReport::alive, 0, {}}), 0, traverseUpTag);
  });
}

}  // namespace tapestry::detail
