// What it costs to await, on a fiber, a program that suspends once: a post to the executor that it is on.
#include <boost/asio/post.hpp>
#include <boost/asio/spawn.hpp>
#include <boost/asio/thread_pool.hpp>
#include <future>

#include "compare/compare.hpp"
#include "tapestry/continuation/direct.hpp"
#include "tapestry/continuation/shift.hpp"
#include "tapestry/continuation/thread_pool.hpp"

namespace tapestry::benchmarks {

namespace {

constexpr long count = 100'000;

double await() {
  std::promise<long> done;
  ThreadPool pool(1);
  const auto block = direct<UnitContinuation>([&pool] {
    long i = 0;
    for (; i < count; ++i) !shift(pool);
    return i;
  });
  long awaited = 0;
  const double cost = nanoseconds(count, [&] {
    block.onComplete([&](Outcome<long> outcome) { done.set_value(std::move(outcome).valueOrThrow()); }, pool);
    awaited = done.get_future().get();
  });
  check(awaited, count);
  return cost;
}

double awaitOfAsio() {
  std::promise<long> done;
  boost::asio::thread_pool pool(1);
  long awaited = 0;
  const double cost = nanoseconds(count, [&] {
    boost::asio::spawn(
        pool,
        [&pool](boost::asio::yield_context yield) {
          long i = 0;
          for (; i < count; ++i) boost::asio::post(pool, yield);
          return i;
        },
        [&](const std::exception_ptr& error, long i) {
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

}  // namespace

std::vector<Row> rows() {
  return {{.name = "await_fiber_asio",
           .unit = "ns/await",
           .peer = "Asio yield_context",
           .target = 1,
           .ours = await,
           .theirs = awaitOfAsio}};
}

}  // namespace tapestry::benchmarks
