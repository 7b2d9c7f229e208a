// A leaf of one's own that waits, and that a request to stop interrupts.
#include "tapestry/continuation/extend/wait_queue.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <thread>

#include "tapestry/continuation.hpp"

using namespace tapestry;

namespace {

/// Lets runs pass once it is open.
struct Gate final : extend::Node {
  extend::WaitQueue queue;
  bool isOpen = false;

  void open() {
    extend::WaitQueue::Waiter* all = nullptr;
    {
      const extend::SpinGuard guard(queue.lock);
      isOpen = true;
      all = queue.popAll();
    }
    extend::wakeAll(all);
  }
};

class AtGate final : public extend::Waiter {
 public:
  explicit AtGate(Gate& gate) : Waiter(gate.queue), gate_(gate) {}

 private:
  bool enter() noexcept override { return gate_.isOpen; }
  Gate& gate_;
};

struct Pass : extend::ProgramOperations<Pass> {
  using ValueType = void;
  explicit Pass(extend::Ref<Gate> given) : gate(std::move(given)) {}

  void step(extend::Run& run, extend::Keeper keeper) const {
    constexpr auto goOn = [](AtGate& waiter, extend::Run& r) {
      if (waiter.leave()) return r.stop(Errors());
      r.put(Unit{});
    };
    constexpr auto refused = [](AtGate& waiter, extend::Run&) { waiter.leave(); };
    run.keep(std::move(keeper));  // the gate has to live while the run is in its queue
    run.park(run.push<goOn, refused>(extend::makeRef<AtGate>(*gate)), {"Pass"});
  }

  extend::Ref<Gate> gate;
};

}  // namespace

TEST_CASE("a user-defined leaf waits until it is woken, and not if it need not wait") {
  const auto gate = extend::makeRef<Gate>();
  int passed = 0;
  for (int i = 0; i < 3; ++i) Pass(gate).map([&] { ++passed; }).onComplete([](const Outcome<void>&) {});
  CHECK(passed == 0);
  gate->open();
  CHECK(passed == 3);
  Pass(gate).map([&] { ++passed; }).blockingAwait();
  CHECK(passed == 4);
}

TEST_CASE("a request to stop ends the wait of a user-defined leaf, and leaves the others in the queue") {
  const auto gate = extend::makeRef<Gate>();
  StopSource stop;
  bool cancelled = false, passed = false;
  Pass(gate).onComplete([&](const Outcome<void>& outcome) { cancelled = outcome.isCancelled(); },
                        stop.token());
  Pass(gate).onComplete([&](const Outcome<void>& outcome) { passed = outcome.hasValue(); });
  stop.requestStop();
  CHECK(cancelled);
  CHECK(!passed);
  gate->open();
  CHECK(passed);
}

TEST_CASE("either a wake or a request to stop on another thread ends the wait, and never both") {
  for (int round = 0; round < 2000; ++round) {
    const auto gate = extend::makeRef<Gate>();
    StopSource stop;
    std::atomic<int> ends{0};
    Pass(gate).onComplete([&](const Outcome<void>&) { ++ends; }, stop.token());
    std::thread opener([&] { gate->open(); });
    stop.requestStop();
    opener.join();
    CHECK(ends == 1);
  }
}
