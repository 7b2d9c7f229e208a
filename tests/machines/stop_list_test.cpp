// StopList, in all interleavings.
#include "tapestry/continuation/detail/engine/stop_list.hpp"

#include <doctest/doctest.h>

#include <memory>

#include "support/model_atomics.hpp"

using namespace tapestry;
using namespace tapestry::test;

namespace {

using StopList = detail::StopList<ModelAtomics>;

/// One that comes and goes, one that stays, and a request, or two.
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

}  // namespace

TEST_CASE("a listener of a request is called at most once and never after it was removed") {
  CHECK(interleaveAll([] { return std::make_unique<Listening>(1); }, 2) > 100);
  CHECK(interleaveAll([] { return std::make_unique<Listening>(2); }, 1) > 100);
  interleaveRandomly([] { return std::make_unique<Listening>(2); }, 0, 300);
}

TEST_CASE("a listener of a request may remove itself and others from within the call") {
  CHECK(interleaveAll([] { return std::make_unique<Leaving>(); }, 3) > 50);
}
