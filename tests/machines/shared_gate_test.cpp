// BasicSharedGate, in all interleavings of few preemptions.
#include "tapestry/raii/detail/shared_gate.hpp"

#include <doctest/doctest.h>

#include <deque>
#include <functional>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "support/threads/model_atomics.hpp"
#include "tapestry/continuation/detail/wait_queue.hpp"

using namespace tapestry;
using namespace tapestry::test;

namespace {

using Waiter = detail::BasicWaiter<ModelAtomics, ModelRun>;
using detail::OpeningResult;

struct Opening final : detail::Node, detail::SharedOpening {
  void request() noexcept { asked = true; }
  bool asked = false;
};

using Gate = detail::BasicSharedGate<Waiter, Opening>;

struct Kind {
  int users = 2;
  bool stops = false;       ///< the first user is asked to
  bool allStop = false;     ///< all users are
  bool isMasked = false;    ///< the opening, which does not hear of a request
  bool firstFails = false;  ///< to open
};

/// Users of one instance, each with a run of its own, and a thread that does what they start.
struct Sharing final : Model {
  explicit Sharing(Kind k) : kind(k) {}

  struct User final : Gate::User {
    User(Gate& gate, detail::Ref<Opening> awaited, bool isOpener, int& n)
        : Gate::User(gate, std::move(awaited), isOpener), live(n) {
      ++live;
    }
    ~User() override { --live; }
    int& live;
  };

  std::vector<std::function<void()>> threads() override {
    std::vector<std::function<void()>> all;
    for (int i = 0; i < kind.users; ++i)
      all.push_back([this, i] {
        use(i == 0 || kind.allStop ? stop : never);
        ++gone;
      });
    all.push_back([this] {
      while (waitUntil([this] { return !started.empty() || gone == kind.users; }), !started.empty()) {
        const auto opening = started.front();
        started.pop_front();
        open(*opening);
      }
    });
    if (kind.stops || kind.allStop) all.push_back([this] { request(stop); });
    return all;
  }

  void use(detail::StopList<ModelAtomics>& asked) {
    ModelRun run(asked);
    for (bool promised = false;;) {
      auto opening = promised || gate.looksIdle() ? detail::makeRef<Opening>() : detail::Ref<Opening>();
      interleavingPoint();
      bool within = false;
      const auto enter = [&] {
        return gate.enter(opening, promised, within, [](const Opening&) { return false; });
      };
      auto place = enter();
      if (place == Gate::Place::vacant) {
        opening = detail::makeRef<Opening>();
        place = enter();
      }
      if (place == Gate::Place::admitted) return useInstance();
      if (place == Gate::Place::opener) started.push_back(opening);
      const auto user = detail::makeRef<User>(gate, opening, place == Gate::Place::opener, live);
      run.park(user->wait(run));
      const bool cancelled = user->leave();
      promised = user->promised();
      if (!user->opening()) {
        if (cancelled) return;
        continue;
      }
      const auto result = cancelled ? gate.depart(*user->opening(), false) : user->opening()->result();
      if (result == OpeningResult::opened) return useInstance();
      verify(cancelled || result != OpeningResult::pending, "a user continued before its opening had ended");
      if (result == OpeningResult::failed)
        return verify(cancelled || user->opening()->failure() == boom, "an error was lost");
      if (cancelled || user->opens) return;
    }
  }

  void useInstance() {
    verify(instances == 1, "a user has no instance");
    interleavingPoint();
    verify(instances == 1, "an instance was released while it was used");
    if (gate.leave()) close();
  }
  void open(Opening& opening) {
    verify(!isOpening && instances == 0, "an instance was opened beside another");
    isOpening = true;
    interleavingPoint();
    isOpening = false;
    if (opening.asked && !kind.isMasked) return gate.failed(opening, nullptr);
    if (kind.firstFails && !failedOnce) {
      failedOnce = true;
      return gate.failed(opening, boom);
    }
    ++instances;
    if (!gate.opened(opening)) {
      verify(opening.asked, "an opening that nobody waits for was not asked to stop");
      close();
    }
  }
  void close() {
    verify(--instances == 0, "an instance was released twice");
    interleavingPoint();
    gate.closed();
  }
  void check() override {
    verify(instances == 0 && live == 0 && started.empty(), "an instance, a user or an opening was lost");
    detail::Ref<Opening> next = detail::makeRef<Opening>();
    bool within = false;
    const auto place = gate.enter(next, false, within, [](const Opening&) { return false; });
    verify(place == Gate::Place::opener, "the gate does not open again");
    gate.failed(*next, nullptr);
  }

  const Kind kind;
  const std::exception_ptr boom = std::make_exception_ptr(std::runtime_error("boom"));
  detail::StopList<ModelAtomics> stop;
  detail::StopList<ModelAtomics> never;
  std::deque<detail::Ref<Opening>> started;
  int gone = 0;
  int instances = 0;
  bool isOpening = false;
  bool failedOnce = false;
  int live = 0;
  Gate gate;
};

MakeModel sharing(Kind kind) {
  return [=] { return std::make_unique<Sharing>(kind); };
}

}  // namespace

TEST_CASE("users of a gate have one instance at a time, and the last releases it") {
  CHECK(interleaveAll(sharing({.users = 2}), 2) > 100);
  CHECK(interleaveAll(sharing({.users = 3}), 1) > 100);
  interleaveRandomly(sharing({.users = 4}), 0, 300);
}

TEST_CASE("a user of a gate that is stopped while it waits or opens disturbs no other user") {
  CHECK(interleaveAll(sharing({.users = 2, .stops = true}), 1) > 100);
  interleaveRandomly(sharing({.users = 4, .stops = true}), 0, 300);
}

TEST_CASE("an opening that all users of a gate have left is asked to stop, and what it opens is released") {
  for (const bool masked : {false, true}) {
    CHECK(interleaveAll(sharing({.users = 1, .stops = true, .isMasked = masked}), 2) > 100);
    CHECK(interleaveAll(sharing({.users = 2, .allStop = true, .isMasked = masked}), 1) > 50);
    interleaveRandomly(sharing({.users = 4, .allStop = true, .isMasked = masked}), 0, 300);
  }
}

TEST_CASE("when opening fails all who wait get the error and the next user tries again") {
  CHECK(interleaveAll(sharing({.users = 3, .firstFails = true}), 1) > 100);
  interleaveRandomly(sharing({.users = 4, .stops = true, .firstFails = true}), 0, 300);
}
