#include "tapestry/raii/extend/wait_for.hpp"

#include <doctest/doctest.h>

#include "support/programs/runs.hpp"
#include "support/threads/executors.hpp"
#include "tapestry/continuation/executor.hpp"
#include "tapestry/continuation/stop.hpp"

using namespace tapestry;
using test::Delivery;
using test::outcomeText;

namespace {

/// Hands out numbers in the order of arrival.
struct Counter final : extend::Node {
  void add(int number) {
    extend::WaitQueue::Waiter* waiter = nullptr;
    {
      const extend::SpinGuard guard(queue.lock);
      waiter = queue.pop();
      if (!waiter) stored = number;
    }
    if (waiter) serve(*waiter, number);
  }
  static void serve(extend::WaitQueue::Waiter& waiter, int number);

  extend::WaitQueue queue;
  int stored = 0;  ///< 0: none
  int declined = 0;
};

class Take : public extend::Waiter {
 public:
  using Request = extend::Ref<Counter>;
  explicit Take(const Request& counter) noexcept : Waiter(counter->queue), counter_(*counter) {}

  extend::Acquired<int> served() const { return {Try<int>::success(got), {}}; }
  void declined() noexcept { counter_.declined += got; }

  int got = 0;

 private:
  bool enter() noexcept override { return (got = std::exchange(counter_.stored, 0)) != 0; }
  Counter& counter_;
};

void Counter::serve(extend::WaitQueue::Waiter& waiter, int number) {
  static_cast<Take&>(waiter).got = number;
  waiter.wake();
}

Do<int> take(const extend::Ref<Counter>& counter) {
  return extend::waitFor<int, Take>(counter, "a number", extend::Location::current());
}

}  // namespace

TEST_CASE("a request that can be served at once does not wait") {
  const auto counter = extend::makeRef<Counter>();
  counter->add(7);
  CHECK(take(counter).blockingAwait() == 7);
}

TEST_CASE("requests are served in the order of arrival") {
  const auto counter = extend::makeRef<Counter>();
  Delivery<int> first, second;
  take(counter).onComplete(first.callback());
  take(counter).onComplete(second.callback());
  counter->add(1);
  CHECK(first.outcome().get() == 1);
  CHECK(second.count() == 0);
  counter->add(2);
  CHECK(second.outcome().get() == 2);
}

TEST_CASE("a request to stop ends the wait, and the next request is served") {
  const auto counter = extend::makeRef<Counter>();
  const StopSource stop;
  Delivery<int> first, second;
  take(counter).onComplete(first.callback(), stop.token());
  take(counter).onComplete(second.callback());
  stop.requestStop();
  CHECK(outcomeText(first.outcome()) == "cancelled");
  counter->add(3);
  CHECK(second.outcome().get() == 3);
}

TEST_CASE("a run that is served and refused by its executor declines, and fails with ExecutorStopped") {
  const auto counter = extend::makeRef<Counter>();
  test::QueueExecutor executor;
  Delivery<int> refused;
  take(counter).onComplete(refused.callback(), executor);
  executor.work();
  executor.stop();
  counter->add(5);
  CHECK(outcomeText(refused.outcome()) == ExecutorStopped().what());
  CHECK(counter->declined == 5);
}
