// BasicRendezvous, in all interleavings.
#include "tapestry/continuation/detail/engine/completion.hpp"

#include <doctest/doctest.h>

#include <memory>

#include "support/threads/model_atomics.hpp"

using namespace tapestry;
using namespace tapestry::test;

namespace {

/// A run that waits, those who call, and a request to stop.
struct Waiting final : Model {
  struct Place final : detail::BasicRendezvous<ModelAtomics, ModelRun> {
    Place(ModelRun& run, int& n) : BasicRendezvous(run), live(n) { ++live; }
    ~Place() override { --live; }
    int& live;
  };

  Waiting(int n, bool stops) : callers(n), asksToStop(stops) {}

  std::vector<std::function<void()>> threads() override {
    // the reference of the rendezvous
    Place* const place = detail::makeRef<Place>(run, live).detach();
    std::vector<std::function<void()>> all{[this, place] {
      run.park(place->wait());
      verify(run.stopped() != (value == 1), "a run continued with neither a value nor a stop, or with both");
    }};
    for (int i = 0; i < callers; ++i)
      all.push_back([this, handle = detail::Ref<Place>::share(place)]() mutable {
        call(*std::exchange(handle, nullptr));
      });
    if (asksToStop) all.push_back([this] { request(stop); });
    return all;
  }
  void call(Place& place) {
    if (!place.claim()) return;
    verify(++value == 1 && !run.stopped(), "two have claimed");
    if (place.ready()) run.resume();
  }
  void check() override {
    verify(live == 0, "a place was lost");
    // would call those that are still in the list, which are gone
    request(stop);
  }

  const int callers;
  const bool asksToStop;
  detail::StopList<ModelAtomics> stop;
  ModelRun run{stop};
  int live = 0;
  int value = 0;
};

MakeModel waiting(int callers, bool stops) {
  return [=] { return std::make_unique<Waiting>(callers, stops); };
}

}  // namespace

TEST_CASE("a run that waits continues once, with the value of one caller") {
  CHECK(interleaveAll(waiting(2, false), 3) > 50);
}

TEST_CASE("either a caller or a request to stop ends the wait") {
  CHECK(interleaveAll(waiting(1, true), 3) > 100);
  CHECK(interleaveAll(waiting(2, true), 2) > 100);
  interleaveRandomly(waiting(2, true), 0, 300);
}

TEST_CASE("a request to stop alone ends a wait") { CHECK(interleaveAll(waiting(0, true), 8) > 10); }
