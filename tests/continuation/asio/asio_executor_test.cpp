#include "tapestry/continuation/asio/asio_executor.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/thread_pool.hpp>
#include <thread>
#include <vector>

#include "support/programs/runs.hpp"
#include "support/threads/io_threads.hpp"
#include "tapestry/continuation/parallel/tuple2.hpp"
#include "tapestry/continuation/shift.hpp"
#include "tapestry/continuation/tail_rec_m.hpp"

using namespace tapestry;
namespace asio = boost::asio;
using test::Delivery;
using test::IoThreads;

namespace {

/// Notes whether two threads were in it at once.
class Exclusive {
 public:
  void enter() {
    if (inside_.exchange(true)) overlapped_ = true;
    std::this_thread::yield();
    ++entries_;
    inside_ = false;
  }
  bool overlapped() const { return overlapped_; }
  int entries() const { return entries_; }

 private:
  std::atomic<bool> inside_{false};
  std::atomic<bool> overlapped_{false};
  int entries_ = 0;  // not atomic: ThreadSanitizer sees where it is not excluded
};

}  // namespace

TEST_CASE("a run that is started on an io_context works where the context is run") {
  asio::io_context context;
  AsioExecutor executor(context);
  Delivery<std::thread::id> delivery;
  delay([] { return std::this_thread::get_id(); }).onComplete(delivery.callback(), executor);
  CHECK(delivery.count() == 0);
  context.run();
  REQUIRE(delivery.count() == 1);
  CHECK(delivery.outcome().get() == std::this_thread::get_id());
}

TEST_CASE("only the threads that run the context are here") {
  asio::io_context context;
  asio::io_context other;
  AsioExecutor executor(context.get_executor());
  AsioExecutor otherExecutor(other);
  CHECK_FALSE(executor.isHere());
  bool here = false;
  asio::post(context, [&] { here = executor.isHere() && !otherExecutor.isHere(); });
  context.run();
  CHECK(here);
  context.restart();
  Delivery<bool> delivery;
  delay([&] {
    return executor.isHere() && !otherExecutor.isHere();
  }).onComplete(delivery.callback(), executor);
  context.run();
  CHECK(delivery.outcome().get());
}

TEST_CASE("a run shifts to an asio thread_pool and to an executor of erased type") {
  asio::thread_pool pool(2);
  {
    AsioExecutor executor(pool);
    AsioExecutor erased(asio::any_io_executor(pool.get_executor()));
    CHECK(execute(executor, [] { return std::this_thread::get_id(); }).blockingAwait() !=
          std::this_thread::get_id());
    CHECK(execute(erased, [] { return std::this_thread::get_id(); }).blockingAwait() !=
          std::this_thread::get_id());
    CHECK(execute(executor, [&] { return executor.isHere(); }).blockingAwait());
    CHECK(execute(erased, [&] { return erased.isHere(); }).blockingAwait());
    CHECK_FALSE(executor.idle());
  }
  pool.join();
}

TEST_CASE("a run comes back to its executor after a join of parallel branches") {
  IoThreads threads;
  asio::thread_pool pool(2);
  {
    AsioExecutor executor(threads.context);
    AsioExecutor other(pool);
    Delivery<bool> delivery;
    tuple2(parallel(execute(other, [] {})), parallel(execute(other, [] {})))
        .map([&](auto) { return executor.isHere(); })
        .onComplete(delivery.callback(), executor);
    CHECK(delivery.outcome().get());
  }
  pool.join();
}

TEST_CASE("a hundred thousand shifts to the executor that the run is on need no stack") {
  asio::io_context context;
  AsioExecutor executor(context);
  Delivery<int> delivery;
  tailRecM(0, [&](int i) {
    return shift(executor).map(
        [i] { return i == 100'000 ? Step<int, int>::done(i) : Step<int, int>::next(i + 1); });
  }).onComplete(delivery.callback(), executor);
  context.run();
  CHECK(delivery.outcome().get() == 100'000);
}

TEST_CASE("the runs of a strand never overlap though four threads work") {
  constexpr int runs = 200;
  constexpr int steps = 20;
  asio::thread_pool pool(4);
  {
    AsioExecutor strand(asio::make_strand(pool.get_executor()));
    AsioExecutor other(pool);
    Exclusive exclusive;
    std::vector<Delivery<int>> deliveries(runs);
    for (auto& delivery : deliveries)
      tailRecM(1, [&](int i) {
        return shift(other).flatMap([&] { return shift(strand); }).map([&, i] {
          exclusive.enter();
          return i == steps ? Step<int, int>::done(i) : Step<int, int>::next(i + 1);
        });
      }).onComplete(delivery.callback(), strand);
    for (auto& delivery : deliveries) CHECK(delivery.outcome().get() == steps);
    CHECK_FALSE(exclusive.overlapped());
    CHECK(exclusive.entries() == runs * steps);
  }
  pool.join();
}

TEST_CASE("a strand that is entered within a step of another executor still excludes") {
  constexpr int runs = 2000;
  asio::thread_pool pool(4);
  {
    const auto executor = asio::make_strand(pool.get_executor());
    AsioExecutor strand(executor);
    AsioExecutor other(pool);
    Exclusive exclusive;
    std::vector<Delivery<void>> inner(runs);
    std::vector<Delivery<void>> outer(runs);
    for (std::size_t i = 0; i < runs; ++i)
      delay([&, i] {
        asio::dispatch(executor,
                       [&, i] { delay([&] { exclusive.enter(); }).onComplete(inner[i].callback(), strand); });
      }).onComplete(outer[i].callback(), other);
    for (auto& delivery : outer) CHECK(delivery.outcome().hasValue());
    for (auto& delivery : inner) CHECK(delivery.outcome().hasValue());
    CHECK_FALSE(exclusive.overlapped());
    CHECK(exclusive.entries() == runs);
  }
  pool.join();
}

TEST_CASE("a step that polls another context has the work of that context done by the poll") {
  asio::io_context context;
  asio::io_context inner;
  AsioExecutor executor(context);
  AsioExecutor innerExecutor(inner);
  Delivery<bool> delivery;
  Delivery<bool> innerDelivery;
  delay([&] { return innerExecutor.isHere(); }).onComplete(innerDelivery.callback(), innerExecutor);
  delay([&] { return inner.poll(), innerDelivery.count() == 1; }).onComplete(delivery.callback(), executor);
  context.run();
  CHECK(delivery.outcome().get());
  CHECK(innerDelivery.outcome().get());
}
