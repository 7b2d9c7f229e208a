// WaitQueue, in all interleavings, under a mutex made of it.
#include "tapestry/continuation/detail/wait_queue.hpp"

#include <doctest/doctest.h>

#include <deque>
#include <memory>

#include "support/threads/model_atomics.hpp"

using namespace tapestry;
using namespace tapestry::test;

namespace {

using Base = detail::BasicWaiter<ModelAtomics, ModelRun>;

struct Mutex {
  Base::Queue queue;
  bool held = false;

  void unlock() {
    Base::Queue::Waiter* next = nullptr;
    {
      const detail::SpinGuard guard(queue.lock);
      next = queue.pop();
      held = next != nullptr;
    }
    if (next) next->wake();
  }
};

struct Place final : Base {
  explicit Place(Mutex& m) : Base(m.queue), mutex(m) {}
  bool enter() noexcept override { return !std::exchange(mutex.held, true); }
  Mutex& mutex;
};

/// Runs that take turns, of which the first is asked to stop.
struct Turns final : Model {
  explicit Turns(int n) : runs(n) {}

  std::vector<std::function<void()>> threads() override {
    std::vector<std::function<void()>> all;
    for (int i = 0; i < runs; ++i)
      all.push_back([this, i] {
        ModelRun run(i == 0 ? stop : never);
        const auto place = detail::makeRef<Place>(mutex);
        run.park(place->wait(run));
        if (place->leave()) {
          verify(i == 0, "a run was cancelled that nobody asked to stop");
          return;
        }
        verify(inside++ == 0, "two runs have the turn");
        interleavingPoint();
        --inside;
        mutex.unlock();
      });
    all.push_back([this] { request(stop); });
    return all;
  }
  void check() override { verify(!mutex.held, "a turn was lost"); }

  const int runs;
  detail::StopList<ModelAtomics> stop;
  detail::StopList<ModelAtomics> never;
  Mutex mutex;
  int inside = 0;
};

/// A run whose turn never comes.
struct Hopeless final : Model {
  std::vector<std::function<void()>> threads() override {
    mutex.held = true;
    return {[this] {
              ModelRun run(stop);
              const auto place = detail::makeRef<Place>(mutex);
              run.park(place->wait(run));
              verify(place->leave(), "a run that was asked to stop continued as if it had its turn");
            },
            [this] { request(stop); }};
  }
  detail::StopList<ModelAtomics> stop;
  Mutex mutex;
};

}  // namespace

TEST_CASE("a request to stop ends a wait, whenever it comes") {
  CHECK(interleaveAll([] { return std::make_unique<Hopeless>(); }, 8) > 10);
}

TEST_CASE("each waiter gets its turn once or is cancelled, and no turn is lost") {
  CHECK(interleaveAll([] { return std::make_unique<Turns>(2); }, 2) > 100);
  CHECK(interleaveAll([] { return std::make_unique<Turns>(3); }, 1) > 100);
  interleaveRandomly([] { return std::make_unique<Turns>(3); }, 0, 300);
}
