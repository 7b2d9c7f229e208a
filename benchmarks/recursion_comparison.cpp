// What recursion costs, per step, with cancellation and exceptions in place.
#include <boost/asio/awaitable.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "compare/compare.hpp"
#include "tapestry/continuation.hpp"

namespace tapestry::benchmarks {

namespace {

constexpr long steps = 1'000'000;
constexpr long sum = steps * (steps + 1) / 2;

UnitContinuation<long> sumTo(long i, long sumAbove) {
  if (i == 0) return now(sumAbove);
  return delay([i] { return i; }).flatMap([sumAbove](long j) { return sumTo(j - 1, sumAbove + j); });
}

double recursion() {
  const StopSource stop;
  long result = 0;
  const double cost = nanoseconds(steps, [&] { result = sumTo(steps, 0).blockingAwait(stop.token()); });
  check(result, sum);
  return cost;
}

boost::asio::awaitable<long> yield(long i) { co_return i; }

boost::asio::awaitable<long> sumOf(long count) {
  long result = 0;
  for (long i = 1; i <= count; ++i) result += co_await yield(i);
  co_return result;
}

double recursionOfAsio() {
  boost::asio::io_context context(1);
  boost::asio::cancellation_signal cancellation;
  long result = 0;
  const double cost = nanoseconds(steps, [&] {
    const auto complete = [&](const std::exception_ptr& error, long value) {
      if (error) std::rethrow_exception(error);
      result = value;
    };
    boost::asio::co_spawn(context, sumOf(steps),
                          boost::asio::bind_cancellation_slot(cancellation.slot(), complete));
    context.run();
  });
  check(result, sum);
  return cost;
}

/// Builds, runs and destroys a chain; per bind.
double leftNested() {
  long result = 0;
  const double cost = nanoseconds(steps, [&] {
    UnitContinuation<long> chain = now(0L);
    for (long i = 0; i < steps; ++i) chain = std::move(chain).flatMap([](long x) { return now(x + 1); });
    result = chain.blockingAwait();
  });
  check(result, steps);
  return cost;
}

}  // namespace

std::vector<Row> rows() {
  return {
      {.name = "recursion_asio",
       .unit = "ns/step",
       .peer = "Asio awaitable",
       .target = 1.1,
       .ours = recursion,
       .theirs = recursionOfAsio},
      {.name = "recursion_malloc",
       .unit = "ns/step",
       .peer = "malloc",
       .target = 2,
       .ours = recursion,
       .theirs = mallocAndFree},
      {.name = "left_nested_malloc",
       .unit = "ns/bind",
       .peer = "malloc",
       .target = 6,
       .ours = leftNested,
       .theirs = mallocAndFree},
  };
}

}  // namespace tapestry::benchmarks
