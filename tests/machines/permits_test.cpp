// Permits, in all interleavings.
#include "tapestry/raii/semaphore.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <memory>
#include <vector>

#include "support/threads/model_atomics.hpp"

using namespace tapestry;
using namespace tapestry::test;

namespace {

using Waiter = detail::BasicWaiter<ModelAtomics, ModelRun>;
using Permits = detail::BasicPermits<Waiter>;
using Place = detail::BasicPermitWaiter<Waiter>;

/// Runs that take permits and give them back; the first is asked to stop.
struct Taking final : Model {
  explicit Taking(std::vector<std::size_t> wants, std::size_t all)
      : counts(std::move(wants)), permits(detail::makeRef<Permits>(all)) {}

  std::vector<std::function<void()>> threads() override {
    std::vector<std::function<void()>> all;
    for (std::size_t i = 0; i < counts.size(); ++i) all.push_back([this, i] { take(i); });
    all.push_back([this] { request(stop); });
    return all;
  }
  void take(std::size_t index) {
    const std::size_t count = counts[index];
    ModelRun run(index == 0 ? stop : never);
    const auto place = detail::makeRef<Place>(*permits, count);
    run.park(place->wait(run));
    if (place->leave()) return verify(index == 0, "a run was cancelled that nobody asked to stop");
    taken += count;
    verify(taken <= permits->total, "there are more permits than there were");
    interleavingPoint();
    taken -= count;
    permits->give(count);
  }
  void check() override { verify(taken == 0 && permits->available() == permits->total, "a permit was lost"); }

  const std::vector<std::size_t> counts;
  detail::StopList<ModelAtomics> stop;
  detail::StopList<ModelAtomics> never;
  detail::Ref<Permits> permits;
  std::size_t taken = 0;
};

MakeModel taking(std::vector<std::size_t> wants, std::size_t all) {
  return [=] { return std::make_unique<Taking>(wants, all); };
}

}  // namespace

TEST_CASE("no more permits are held than exist, and no permit is lost") {
  CHECK(interleaveAll(taking({1, 1}, 1), 2) > 100);
  CHECK(interleaveAll(taking({1, 1, 1}, 2), 1) > 100);
  interleaveRandomly(taking({1, 1, 1}, 2), 0, 300);
}

TEST_CASE("a run that stops waiting for many permits leaves the free permits to the runs behind it") {
  CHECK(interleaveAll(taking({2, 1, 1}, 2), 1) > 100);
  interleaveRandomly(taking({3, 1, 2}, 3), 0, 300);
}

TEST_CASE("a run that takes all of as many permits as can be counted is alone, as the writer of a lock") {
  constexpr std::size_t all = std::numeric_limits<std::size_t>::max();
  CHECK(interleaveAll(taking({all, 1, 1}, all), 1) > 100);
  interleaveRandomly(taking({1, all, 1, all}, all), 0, 300);
}
