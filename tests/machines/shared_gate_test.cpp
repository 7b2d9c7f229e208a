// SharedGate, in all interleavings.
#include "tapestry/raii/detail/shared_gate.hpp"

#include <doctest/doctest.h>

#include <memory>

#include "support/model_atomics.hpp"

using namespace tapestry;
using namespace tapestry::test;

namespace {

using Meeting = detail::BasicRendezvous<ModelAtomics, ModelRun>;
using Gate = detail::BasicSharedGate<ModelAtomics, Meeting>;
using detail::SharedPlace;

struct Kind {
  int users = 2;
  bool stops = false;       ///< the first user is asked to
  bool firstFails = false;  ///< to open
};

/// Users of one instance, each with a run of its own.
struct Sharing final : Model {
  explicit Sharing(Kind k) : kind(k) {}

  struct User final : detail::BasicSharedUser<Meeting> {
    User(ModelRun& run, int& n) : BasicSharedUser(run), live(n) { ++live; }
    ~User() override { --live; }
    int& live;
  };

  std::vector<std::function<void()>> threads() override {
    std::vector<std::function<void()>> all;
    for (int i = 0; i < kind.users; ++i) all.push_back([this, i] { use(i == 0 ? stop : never); });
    if (kind.stops) all.push_back([this] { request(stop); });
    return all;
  }

  void use(detail::StopList<ModelAtomics>& asked) {
    ModelRun run(asked);
    const auto user = detail::makeRef<User>(run, live);
    user->retain();
    if (gate.enter(*user)) {
      user->release();
    } else {
      run.park(user->wait());
    }
    if (run.stopped()) return verify(user->place == SharedPlace::waiting, "a stopped run was given a place");
    if (user->place == SharedPlace::failed) return verify(user->error == boom, "an error was lost");
    if (user->place == SharedPlace::opener && !open(asked)) return;
    verify(instances == 1, "a user has no instance");
    interleavingPoint();
    verify(instances == 1, "an instance was released while it was used");
    if (!gate.leave()) return;
    verify(--instances == 0, "an instance was released twice");
    interleavingPoint();
    gate.closed();
  }
  bool open(const detail::StopList<ModelAtomics>& asked) {
    if (asked.requested()) return gate.closed(), false;
    verify(opening++ == 0 && instances == 0, "an instance was opened beside another");
    interleavingPoint();
    --opening;
    if (kind.firstFails && opened++ == 0) return gate.failed(boom), false;
    ++instances;
    gate.opened();
    return true;
  }
  void check() override {
    verify(instances == 0 && live == 0, "an instance or a user was lost");
    ModelRun run(never);
    const auto next = detail::makeRef<User>(run, live);
    verify(gate.enter(*next) && next->place == SharedPlace::opener, "the gate does not open again");
    gate.closed();
  }

  const Kind kind;
  const std::exception_ptr boom = std::make_exception_ptr(std::runtime_error("boom"));
  detail::StopList<ModelAtomics> stop;
  detail::StopList<ModelAtomics> never;
  int instances = 0;
  int opening = 0;
  int opened = 0;
  int live = 0;
  Gate gate;
};

MakeModel sharing(Kind kind) {
  return [=] { return std::make_unique<Sharing>(kind); };
}

}  // namespace

TEST_CASE("users of a gate have one instance at a time, and the last releases it") {
  CHECK(interleaveAll(sharing({.users = 2}), 3) > 100);
  CHECK(interleaveAll(sharing({.users = 3}), 1) > 100);
  interleaveRandomly(sharing({.users = 4}), 0, 300);
}

TEST_CASE("a user of a gate that is stopped while it waits or opens disturbs nobody") {
  CHECK(interleaveAll(sharing({.users = 2, .stops = true}), 2) > 100);
  CHECK(interleaveAll(sharing({.users = 3, .stops = true}), 1) > 100);
  interleaveRandomly(sharing({.users = 4, .stops = true}), 0, 300);
}

TEST_CASE("when opening fails all who wait get the error and the next user tries again") {
  CHECK(interleaveAll(sharing({.users = 3, .firstFails = true}), 1) > 100);
  interleaveRandomly(sharing({.users = 4, .stops = true, .firstFails = true}), 0, 300);
}
