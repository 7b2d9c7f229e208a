// StopList, in all interleavings.
#include "tapestry/continuation/detail/engine/stop_list.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <memory>

#include "support/threads/model_atomics.hpp"

using namespace tapestry;
using namespace tapestry::test;

namespace {

using StopList = detail::StopList<ModelAtomics>;

/// A listener that is added and removed, a listener that stays, and one or two requests.
struct Listening final : Model {
  struct Listener final : detail::StopListener {
    void onStop() noexcept override {
      interleavingPoint();
      ++calls;
      late = late || gone;
      interleavingPoint();
      late = late || gone;
    }
    int calls = 0;
    bool gone = false;
    bool late = false;
  };

  explicit Listening(int n) : requests(n) {}

  std::vector<std::function<void()>> threads() override {
    std::vector<std::function<void()>> all{[this] {
                                             heardOfLater = list.add(passing);
                                             list.remove(passing);
                                             passing.gone = true;
                                           },
                                           [this] { added = list.add(staying); }};
    for (int i = 0; i < requests; ++i) all.push_back([this] { request(list); });
    return all;
  }
  void check() override {
    verify(!passing.late, "a listener was called after it was removed");
    verify(passing.calls <= (heardOfLater ? 1 : 0), "a listener was called twice, or without being added");
    verify(staying.calls == (added ? 1 : 0), "a listener that was added was not called once");
    verify(list.requested(), "a request was lost");
  }

  const int requests;
  StopList list;
  Listener passing;
  Listener staying;
  bool heardOfLater = false;
  bool added = false;
};

/// Listeners that take themselves, and the next one, out when they are called.
struct Leaving final : Model {
  struct Listener final : detail::StopListener {
    explicit Listener(StopList& l) : list(l) {}
    void onStop() noexcept override {
      ++calls;
      list.remove(*this);
      if (other) list.remove(*other);
    }
    StopList& list;
    Listener* other = nullptr;
    int calls = 0;
  };
  std::vector<std::function<void()>> threads() override {
    return {[this] { request(list); },
            [this] {
              if (list.add(first)) first.other = &second;
              (void)list.add(second);
            }};
  }
  void check() override { verify(first.calls <= 1 && second.calls <= 1, "a listener was called twice"); }
  StopList list;
  Listener first{list};
  Listener second{list};
};

/// A branch with two listeners, one of which continues at the list around the branch before the branch asks
/// the other to stop; meanwhile the list around is asked to stop, which is passed on to the branch.
struct GoingOn final : Model {
  struct Listener final : detail::StopListener {
    explicit Listener(std::uintptr_t of) : branch(of) {}
    void onStop() noexcept override { ++calls; }
    bool outlasts(std::uintptr_t of) const noexcept override { return of == branch; }
    const std::uintptr_t branch;
    int calls = 0;
  };
  struct Link final : detail::StopListener {
    explicit Link(StopList& to) : list(to) {}
    void onStop() noexcept override { request(list); }
    StopList& list;
  };

  static void listen(StopList& list, detail::StopListener& listener) {
    if (!list.add(listener)) listener.onStop();
  }
  std::vector<std::function<void()>> threads() override {
    return {[this] { request(around); },
            [this] {
              listen(around, link);
              listen(inside, winner);
              listen(inside, loser);
              inside.takeOutlasting(1, [this](detail::StopListener& taken) { listen(around, taken); });
              request(inside);
              around.remove(link);
            }};
  }
  void check() override {
    verify(winner.calls == 1, "a listener that continued was not called once by the request around");
    verify(loser.calls == 1, "a listener that stayed was not called once");
  }

  StopList around;
  StopList inside;
  Link link{inside};
  Listener winner{1};
  Listener loser{2};
};

}  // namespace

TEST_CASE("a listener of a request is called at most once and never after it was removed") {
  CHECK(interleaveAll([] { return std::make_unique<Listening>(1); }, 2) > 100);
  CHECK(interleaveAll([] { return std::make_unique<Listening>(2); }, 1) > 100);
  interleaveRandomly([] { return std::make_unique<Listening>(2); }, 0, 300);
}

TEST_CASE("a listener of a request may remove itself and others from within the call") {
  CHECK(interleaveAll([] { return std::make_unique<Leaving>(); }, 3) > 50);
}

TEST_CASE("a listener that moves to another list misses no request, and is called once") {
  CHECK(interleaveAll([] { return std::make_unique<GoingOn>(); }, 3) > 50);
  interleaveRandomly([] { return std::make_unique<GoingOn>(); }, 0, 300);
}
