// A Coroutine awaits awaitables of other libraries.
#include <doctest/doctest.h>

#include <coroutine>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

#include "support/programs/runs.hpp"
#include "support/system/child_process.hpp"
#include "tapestry/continuation/asio/thread_pool.hpp"
#include "tapestry/continuation/coroutine/coroutine.hpp"

using namespace tapestry;
using test::Counted;
using test::Delivery;
using test::errorOf;
using test::MoveOnly;
using test::outcomeText;

namespace {

/// Is resumed by the test.
struct Signal {
  struct Awaiter {
    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> handle) noexcept { of->waiting = handle; }
    int await_resume() const { return of->value; }
    Signal* of;
  };
  Awaiter operator co_await() noexcept { return {this}; }

  void set(int given) {
    value = given;
    std::exchange(waiting, nullptr).resume();
  }

  int value = 0;
  std::coroutine_handle<> waiting;
};

/// Suspends as Result says: void, bool, or a handle.
template <class Result>
struct AtOnce {
  bool await_ready() const noexcept { return false; }
  Result await_suspend(std::coroutine_handle<> waiting) const {
    if constexpr (std::is_void_v<Result>)
      waiting.resume();
    else if constexpr (std::is_same_v<Result, bool>)
      return false;
    else
      return waiting;
  }
  int await_resume() const noexcept { return 1; }
};

struct Ready {
  bool await_ready() const noexcept { return true; }
  void await_suspend(std::coroutine_handle<>) const noexcept { std::terminate(); }
  MoveOnly await_resume() const { return MoveOnly(2); }
};

struct ThrowsOnResume : std::suspend_never {
  void await_resume() const { throw std::runtime_error("resume"); }
};
struct ThrowsOnSuspend : std::suspend_always {
  void await_suspend(std::coroutine_handle<>) const { throw std::runtime_error("suspend"); }
};

/// Hands over to a coroutine whose exception leaves the call that resumes it.
struct ThrowsOnTransfer : std::suspend_always {
  struct promise_type {
    ThrowsOnTransfer get_return_object() {
      return {{}, std::coroutine_handle<promise_type>::from_promise(*this)};
    }
    std::suspend_always initial_suspend() const noexcept { return {}; }
    std::suspend_always final_suspend() const noexcept { return {}; }
    void return_void() const noexcept {}
    void unhandled_exception() const { throw; }
  };
  std::coroutine_handle<> await_suspend(std::coroutine_handle<>) const noexcept { return handle; }
  std::coroutine_handle<> handle;
};
ThrowsOnTransfer throwsOnTransfer() {
  throw std::runtime_error("transfer");
  co_return;
}

/// Its coroutine ends when it is destroyed.
struct Dropped : std::suspend_always {
  void await_suspend(std::coroutine_handle<> waiting) const noexcept { waiting.destroy(); }
};

namespace other {

struct Free {};
Ready operator co_await(Free) noexcept { return {}; }

}  // namespace other

}  // namespace

TEST_CASE("a coroutine awaits what another library resumes later") {
  Signal signal;
  Delivery<int> delivery;
  direct<UnitContinuation>([&]() -> Coroutine<int> {
    const int first = co_await signal;
    co_return first + co_await signal;
  }).onComplete(delivery.callback());
  CHECK(delivery.count() == 0);
  signal.set(3);
  CHECK(delivery.count() == 0);
  signal.set(4);
  CHECK(delivery.outcome().get() == 7);
}

TEST_CASE("an awaitable may be ready, may not suspend, may resume at once or transfer") {
  const auto program = direct<UnitContinuation>([]() -> Coroutine<int> {
    const MoveOnly two = co_await Ready();
    const MoveOnly free = co_await other::Free();
    co_await std::suspend_never();
    const int ones =
        co_await AtOnce<void>() + co_await AtOnce<bool>() + co_await AtOnce<std::coroutine_handle<>>();
    co_return two.value() + free.value() + ones;
  });
  CHECK(program.blockingAwait() == 7);
  CHECK(Counted::live() == 0);
}

TEST_CASE("an exception of an awaitable is thrown from the await") {
  const auto program = direct<UnitContinuation>([]() -> Coroutine<std::string> {
    std::string text;
    try {
      co_await ThrowsOnResume();
    } catch (const std::runtime_error& error) {
      text = error.what();
    }
    try {
      co_await ThrowsOnSuspend();
    } catch (const std::runtime_error& error) {
      text += error.what();
    }
    co_return text;
  });
  CHECK(program.blockingAwait() == "resumesuspend");
}

TEST_CASE("an exception of the coroutine that an awaitable transfers to is not one of the awaitable") {
  const auto ending = test::inChild([] {
    direct<UnitContinuation>([]() -> Coroutine<void> {
      try {
        co_await throwsOnTransfer();
      } catch (const std::runtime_error&) {  // NOLINT
      }
    }).blockingAwait();
  });
  CHECK(ending.terminated());
}

TEST_CASE("a handle that is destroyed uncalled breaks the callback") {
  const auto program = direct<UnitContinuation>([]() -> Coroutine<void> { co_await Dropped(); });
  CHECK_THROWS_AS(program.blockingAwait(), BrokenCallback);
}

TEST_CASE("the coroutine continues on its own executor") {
  ThreadPool pool(1);
  struct OtherThread : std::suspend_always {
    void await_suspend(std::coroutine_handle<> waiting) const {
      std::thread([waiting] { waiting.resume(); }).detach();
    }
  };
  Delivery<bool> delivery;
  direct<UnitContinuation>([&]() -> Coroutine<bool> {
    co_await OtherThread();
    co_return pool.isHere();
  }).onComplete(delivery.callback(), pool);
  CHECK(delivery.outcome().get());
}

TEST_CASE("a request to stop is seen when the awaitable has resumed") {
  Signal signal;
  StopSource source;
  Delivery<int> delivery;
  bool after = false;
  direct<UnitContinuation>([&]() -> Coroutine<int> {
    const int value = co_await signal;
    after = true;
    co_return value;
  }).onComplete(delivery.callback(), source.token());
  source.requestStop();
  CHECK(delivery.count() == 0);
  signal.set(3);
  CHECK(outcomeText(delivery.outcome()) == "cancelled");
  CHECK_FALSE(after);
}

TEST_CASE("a million awaits of others in a loop need no stack") {
  const auto program = direct<UnitContinuation>([]() -> Coroutine<int> {
    int sum = 0;
    for (int i = 0; i < 500'000; ++i) {
      sum += co_await AtOnce<void>();
      sum += co_await AtOnce<bool>();
    }
    co_return sum;
  });
  CHECK(program.blockingAwait() == 1'000'000);
}
