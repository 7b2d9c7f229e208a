// Programs and runs on several threads at once, for a run under ThreadSanitizer above all.
#include <doctest/doctest.h>

#include <atomic>
#include <thread>

#include "support/programs/runs.hpp"
#include "support/threads/on_threads.hpp"
#include "tapestry/continuation.hpp"

using namespace tapestry;
using test::Counted;
using test::Delivery;
using test::Manual;

TEST_CASE("one program is run and copied and extended by several threads at once") {
  std::atomic<int> right{0};
  {
    const UnitContinuation<Counted> program =
        tuple2(now(Counted(1)), delay([] { return Counted(2); })).flatMap([captured = Counted(4)](auto both) {
          return now(Counted(std::get<0>(both).value() + std::get<1>(both).value() + captured.value()));
        });
    test::onThreads(4, [&](int id) {
      for (int i = 0; i < 1000; ++i) {
        const auto copy = program;
        const auto longer = copy.map([=](const Counted& counted) { return counted.value() + id; });
        right += longer.blockingAwait() == 7 + id;
      }
    });
  }
  CHECK(right == 4000);
  CHECK(Counted::live() == 0);
}

TEST_CASE("each step happens before the next step on any threads") {
  ThreadPool first(2);
  ThreadPool second(2);
  int plain = 0;
  const auto step = [&](Executor& executor) { return execute(executor, [&] { return ++plain; }); };
  const auto leaf = async<int>([&](Callback<int> callback) {
    std::thread([&, callback = std::move(callback)] { callback(++plain); }).detach();
  });
  UnitContinuation<int> program = now(0);
  for (int i = 0; i < 100; ++i)
    program = program.flatMap([=, &first](int) { return step(first); })
                  .flatMap([=, &second](int) { return step(second); })
                  .flatMap([=](int) { return leaf; });
  CHECK(program.blockingAwait() == 300);
  CHECK(plain == 300);
}

TEST_CASE("the callbacks of one run never overlap") {
  ThreadPool pool(4);
  std::atomic<int> inside{0};
  std::atomic<int> overlaps{0};
  const auto enter = [&](int x) {
    overlaps += inside.fetch_add(1) != 0;
    std::this_thread::yield();
    inside.fetch_sub(1);
    return x + 1;
  };
  UnitContinuation<int> program = now(0);
  for (int i = 0; i < 200; ++i)
    program =
        program.map(enter).flatMap([=, &pool](int x) { return execute(pool, [=] { return enter(x); }); });
  CHECK(program.blockingAwait(pool) == 400);
  CHECK(overlaps == 0);
}

TEST_CASE("effects of parallel branches are visible after their join") {
  ThreadPool pool(2);
  for (int i = 0; i < 500; ++i) {
    int left = 0;
    int right = 0;
    const auto program =
        tuple2(parallel(delay([&] { left = 1; })), parallel(delay([&] { right = 2; }))).map([&](auto) {
          return left + right;
        });
    CHECK(program.blockingAwait(pool) == 3);
  }
}

TEST_CASE("a request to stop from any thread reaches the siblings of a branch that waits under a mask") {
  ThreadPool pool(2);
  for (int i = 0; i < 200; ++i) {
    const StopSource source;
    Manual<int> masked;
    Manual<int> waiting;
    Delivery<int> delivery;
    const auto inner =
        tuple2(parallel(now(0)), parallel(masked.program())).map([](const auto&) { return 0; });
    const auto elsewhere = shift(pool).flatMap([&] { return waiting.program(); });
    tupleN(parallel(mask(inner)), parallel(elsewhere), parallel(elsewhere), parallel(elsewhere))
        .map([](const auto&) { return 0; })
        .onComplete(delivery.callback(), source.token());
    while (masked.waiting() < 1 || waiting.waiting() < 3) std::this_thread::yield();
    source.requestStop();
    masked.take()(0);
    CHECK(delivery.outcome().isCancelled());
  }
}

TEST_CASE("runs that wait in parallel programs share a token with each other and with the asking thread") {
  const StopSource source;
  std::atomic<int> waited{0};
  test::onThreads(3, [&](int id) {
    if (id == 0)
      while (waited < 400) CHECK(!source.stopRequested());
    for (int i = 0; id != 0 && i < 200; ++i) {
      Manual<int> manual;
      Delivery<int> delivery;
      tuple2(parallel(manual.program()), parallel(now(0)))
          .map([](const auto&) { return 0; })
          .onComplete(delivery.callback(), source.token());
      manual.take()(0);
      waited += delivery.outcome().hasValue();
    }
  });
  CHECK(waited == 400);
}

TEST_CASE("effects before branches begin are visible to the branches on other threads") {
  ThreadPool pool(2);
  for (int i = 0; i < 500; ++i) {
    int plain = 0;
    const auto read = delay([&] { return plain; });
    const auto program =
        delay([&] { plain = i; }).flatMap([=] { return tuple2(parallel(read), parallel(read)); });
    CHECK(program.blockingAwait(pool) == std::tuple(i, i));
  }
}

TEST_CASE("a destructor of the user's may use the library") {
  struct Runner {
    explicit Runner(int* where) : target(where) {}
    Runner(Runner&& other) noexcept : target(std::exchange(other.target, nullptr)) {}
    ~Runner() {
      if (target) *target += now(1).flatMap([](int x) { return now(x); }).blockingAwait();
    }
    int* target;
  };
  int count = 0;
  {
    const UnitContinuation<int> program = delay([runner = Runner(&count)] { return 5; });
    CHECK(program.flatMap([](int x) { return now(x); }).blockingAwait() == 5);
    CHECK(count == 0);
  }
  CHECK(count == 1);
}

TEST_CASE("a run that continues because a program dies frees as it goes") {
  Delivery<int> delivery;
  std::atomic<int> most{0};
  std::optional<Callback<int>> kept;
  async<int>([&](Callback<int> callback) { kept = std::move(callback); })
      .flatMap([&](int) {
        return tailRecM(0, [&](int i) {
          most = std::max(most.load(), Counted::live());
          return delay([i, captured = Counted(1)] {
            return i < 1000 ? Step<int, int>::next(i + 1) : Step<int, int>::done(i);
          });
        });
      })
      .onComplete(delivery.callback());
  struct Caller {
    explicit Caller(Callback<int> callback) : callback_(std::move(callback)) {}
    Caller(Caller&&) = default;
    ~Caller() {
      if (call_) callback_(0);
    }
    Callback<int> callback_;
    std::unique_ptr<int> call_ = std::make_unique<int>();
  };
  {
    const UnitContinuation<void> program = delay([caller = Caller(*std::exchange(kept, std::nullopt))] {});
    CHECK(delivery.count() == 0);
  }
  CHECK(delivery.outcome().get() == 1000);
  CHECK(most < 20);
}
