// What it costs to await, on a fiber and in a coroutine, a program that suspends once: a post to the executor
// that it is on.
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/spawn.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <future>

#include "compare/compare.hpp"
#include "tapestry/continuation/asio/thread_pool.hpp"
#include "tapestry/continuation/coroutine/coroutine.hpp"
#include "tapestry/continuation/direct/direct.hpp"
#include "tapestry/continuation/shift.hpp"

namespace tapestry::benchmarks {

namespace {

constexpr long count = 100'000;

/// The cost of an await in a run of the block, which makes `count` of them.
double costOf(ThreadPool& pool, const UnitContinuation<long>& block) {
  std::promise<long> done;
  long awaited = 0;
  const double cost = nanoseconds(count, [&] {
    block.onComplete([&](Outcome<long> outcome) { done.set_value(std::move(outcome).valueOrThrow()); }, pool);
    awaited = done.get_future().get();
  });
  check(awaited, count);
  return cost;
}

double awaitOnFiber() {
  ThreadPool pool(1);
  return costOf(pool, direct<UnitContinuation>([&pool] {
                  long i = 0;
                  for (; i < count; ++i) !shift(pool);
                  return i;
                }));
}

double awaitInCoroutine() {
  ThreadPool pool(1);
  return costOf(pool, direct<UnitContinuation>([&pool]() -> Coroutine<long> {
                  long i = 0;
                  for (; i < count; ++i) co_await shift(pool);
                  co_return i;
                }));
}

/// As above; start(pool, completion) starts a function of Asio's that makes the awaits.
template <class Start>
double costInAsio(const Start& start) {
  std::promise<long> done;
  boost::asio::thread_pool pool(1);
  long awaited = 0;
  const double cost = nanoseconds(count, [&] {
    start(pool, [&](const std::exception_ptr& error, long i) {
      if (error)
        done.set_exception(error);
      else
        done.set_value(i);
    });
    awaited = done.get_future().get();
  });
  check(awaited, count);
  return cost;
}

double awaitOnAsioFiber() {
  return costInAsio([](boost::asio::thread_pool& pool, const auto& completion) {
    boost::asio::spawn(
        pool,
        [&pool](boost::asio::yield_context yield) {
          long i = 0;
          for (; i < count; ++i) boost::asio::post(pool, yield);
          return i;
        },
        completion);
  });
}

boost::asio::awaitable<long> postsOfAsio(boost::asio::thread_pool& pool) {
  long i = 0;
  for (; i < count; ++i) co_await boost::asio::post(pool, boost::asio::use_awaitable);
  co_return i;
}

double awaitInAsioCoroutine() {
  return costInAsio([](boost::asio::thread_pool& pool, const auto& completion) {
    boost::asio::co_spawn(pool, postsOfAsio(pool), completion);
  });
}

}  // namespace

std::vector<Row> rows() {
  return {{.name = "await_fiber_asio",
           .unit = "ns/await",
           .peer = "Asio yield_context",
           .target = 1,
           .ours = awaitOnFiber,
           .theirs = awaitOnAsioFiber},
          {.name = "await_coroutine_asio",
           .unit = "ns/await",
           .peer = "Asio awaitable",
           .target = 1.1,
           .ours = awaitInCoroutine,
           .theirs = awaitInAsioCoroutine}};
}

}  // namespace tapestry::benchmarks
