#include "support/programs/senders.hpp"
//
#include "tapestry/raii/execution/as_sender.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <type_traits>

#include "support/callable.hpp"
#include "support/programs/runs.hpp"
#include "tapestry/continuation/asio/thread_pool.hpp"
#include "tapestry/continuation/ensure.hpp"
#include "tapestry/raii/ensure.hpp"
#include "tapestry/raii/scoped.hpp"

using namespace tapestry;
namespace senders = test::senders;
using execution::asSender;
using test::Counted;
using test::errorText;
using test::Manual;
using test::MoveOnly;

static_assert(TAPESTRY_CALLABLE(execution::asSender, Do<int>, Executor&) &&
              !TAPESTRY_CALLABLE(execution::asSender, int) &&
              !TAPESTRY_CALLABLE(execution::asSender, Do<int>, Nothing));

namespace {

/// Its receiver destroys the operation that it belongs to.
struct Owner {
  struct Receiver {
    using receiver_concept = senders::receiver_t;
    void set_value(int result) && noexcept {
      Owner& to = *owner;
      to.operation.reset();
      to.value = result;
    }
    void set_error(std::exception_ptr) && noexcept {}
    void set_stopped() && noexcept { owner->operation.reset(); }
    senders::Probe<int>::Env get_env() const noexcept { return {owner->source.get_token()}; }
    Owner* owner;
  };
  struct Held {
    Held(UnitContinuation<int> program, Owner& owner)
        : operation(asSender(std::move(program)).connect(Receiver{&owner})) {}
    decltype(asSender(std::declval<UnitContinuation<int>>()).connect(std::declval<Receiver>())) operation;
  };
  senders::inplace_stop_source source;
  std::unique_ptr<Held> operation;
  int value = 0;
};

template <class Sender, class Value>
constexpr bool completesWith =
    std::is_same_v<senders::completion_signatures_of_t<Sender, senders::EmptyEnv>,
                   senders::completion_signatures<Value, senders::set_error_t(std::exception_ptr),
                                                  senders::set_stopped_t()>>;
static_assert(completesWith<decltype(asSender(Do<int>::now(7))), senders::set_value_t(int)>);
static_assert(completesWith<decltype(asSender(Do<void>::now())) const&, senders::set_value_t()>);

}  // namespace

TEST_CASE("a program is a sender of its value") {
  CHECK(senders::sync_wait<int>(asSender(now(7))) == 7);
  CHECK(senders::sync_wait<int>(asSender(Do<int>::now(8))) == 8);
  CHECK(senders::sync_wait<int>(senders::then(asSender(delay([] {})), [] { return 9; })) == 9);
}

TEST_CASE("each operation is a separate run, which begins at start") {
  int runs = 0;
  const auto sender = asSender(Do<int>::delay([&] { return ++runs; }));
  senders::Probe<int> probe;
  auto operation = senders::connect(sender, probe.receiver());
  CHECK(runs == 0);
  senders::start(operation);
  CHECK(probe.value == 1);
  CHECK(senders::sync_wait<int>(sender) == 2);
}

TEST_CASE("an error is set as an exception_ptr, and a lost callback is an error") {
  const auto failing = Do<int>::delay([]() -> int { throw std::runtime_error("broken"); });
  CHECK_THROWS_WITH_AS(senders::sync_wait<int>(asSender(failing)), "broken", std::runtime_error);
  CHECK_THROWS_AS(senders::sync_wait<int>(asSender(async<int>([](auto&&) {}))), BrokenCallback);
}

TEST_CASE("the receiver's stop token asks the run to stop, whose finalizers run before set_stopped") {
  Manual<int> manual;
  senders::Probe<int> probe;
  int finalizers = 0;
  auto operation =
      senders::connect(asSender(ensure(manual.program(), delay([&] { ++finalizers; }))), probe.receiver());
  senders::start(operation);
  CHECK(probe.count() == 0);
  probe.source.request_stop();
  CHECK(probe.stopped);
  CHECK(finalizers == 1);
  CHECK(probe.count() == 1);
  manual.take()(1);
  CHECK(probe.count() == 1);
}

TEST_CASE("a stop that was requested before start stops the run at once") {
  senders::Probe<int> probe;
  probe.source.request_stop();
  int calls = 0;
  auto operation = senders::connect(asSender(Do<int>::delay([&] { return ++calls; })), probe.receiver());
  senders::start(operation);
  CHECK(probe.stopped);
  CHECK(calls == 0);
}

TEST_CASE("resources are released before the receiver is completed") {
  std::string log;
  const auto resource =
      tapestry::resource(Do<int>::now(3), [&](int) { return delay([&] { log += "released "; }); });
  CHECK(senders::sync_wait<int>(senders::then(asSender(resource), [&](int value) {
          log += "completed";
          return value;
        })) == 3);
  CHECK(log == "released completed");
}

TEST_CASE("a sender with an executor works and completes there") {
  ThreadPool pool(1);
  bool there = false;
  CHECK(senders::sync_wait<int>(
            senders::then(asSender(delay([&] { return pool.isHere(); }), pool), [&](bool here) {
              there = here && pool.isHere();
              return 1;
            })) == 1);
  CHECK(there);
}

TEST_CASE("a value that cannot be copied is moved to the receiver") {
  {
    const auto sum = senders::then(asSender(delay([] { return MoveOnly(4); })),
                                   [](const MoveOnly& number) { return number.value(); });
    CHECK(senders::sync_wait<int>(sum) == 4);
  }
  CHECK(Counted::live() == 0);
}

TEST_CASE("the receiver may destroy the operation") {
  Owner owner;
  owner.operation = std::make_unique<Owner::Held>(now(5), owner);
  senders::start(owner.operation->operation);
  CHECK(owner.value == 5);
  CHECK_FALSE(owner.operation);
  Manual<int> manual;
  owner.operation = std::make_unique<Owner::Held>(manual.program(), owner);
  senders::start(owner.operation->operation);
  owner.source.request_stop();
  CHECK_FALSE(owner.operation);
}

TEST_CASE("a request and the end of the run may come from two threads") {
  for (int i = 0; i < 200; ++i) {
    Manual<int> manual;
    senders::Probe<int> probe;
    auto operation = senders::connect(asSender(manual.program()), probe.receiver());
    senders::start(operation);
    std::thread stopper([&] { probe.source.request_stop(); });
    manual.take()(1);
    probe.wait();
    stopper.join();
    CHECK(probe.count() == 1);
    CHECK(probe.stopped != (probe.value == 1));
  }
}
