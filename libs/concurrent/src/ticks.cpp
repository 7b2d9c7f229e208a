#include "tapestry/concurrent/stream/ticks.hpp"

#include <memory>

namespace tapestry {

namespace {

struct TickState {
  Clock::TimePoint next;
  Clock::Duration period;
  std::uint64_t count = 0;

  Chunk<std::uint64_t> take() {
    next = detail::later(next, period);
    return detail::chunkOf(count++);
  }
};

Pull<std::uint64_t> nextTick(const std::shared_ptr<TickState>& state, const detail::Location& location) {
  return Do<void>::lift(sleepUntil(state->next, location)).map([state] { return state->take(); }, location);
}

}  // namespace

Stream<std::uint64_t> ticks(detail::Ticks period, detail::Location location) {
  const auto checked = detail::notNegative(period.count, "ticks", "the period");
  return Stream<std::uint64_t>(detail::timeOfRun().map(
      [checked, location](Clock::TimePoint now) {
        auto state = std::make_shared<TickState>(TickState{now, checked});
        return Pull<std::uint64_t>::suspend([state, location] { return nextTick(state, location); },
                                            location);
      },
      location));
}

}  // namespace tapestry
