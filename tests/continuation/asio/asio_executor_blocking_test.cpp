#include "tapestry/continuation/asio/asio_executor.hpp"

#include <doctest/doctest.h>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/thread_pool.hpp>
#include <stdexcept>
#include <string>

#include "support/programs/runs.hpp"
#include "tapestry/continuation/asio/thread_pool.hpp"
#include "tapestry/continuation/shift.hpp"

using namespace tapestry;
namespace asio = boost::asio;
using test::Delivery;

namespace {

/// The error of blockingAwait where it is called; empty if it waits.
std::string complaint() {
  try {
    now(1).blockingAwait();
  } catch (const std::logic_error& error) {
    return error.what();
  }
  return "";
}

bool refusesToWait() { return complaint().starts_with("tapestry::blockingAwait: "); }

}  // namespace

TEST_CASE(
    "blockingAwait in a task of a context, a thread_pool or a strand is an error instead of a deadlock") {
  asio::thread_pool pool(1);
  {
    AsioExecutor executor(pool);
    AsioExecutor strand(asio::make_strand(pool.get_executor()));
    AsioExecutor erased(asio::any_io_executor(pool.get_executor()));
    CHECK(execute(executor, refusesToWait).blockingAwait());
    CHECK(execute(strand, refusesToWait).blockingAwait());
    CHECK(execute(erased, refusesToWait).blockingAwait());
    CHECK(execute(executor, complaint)
              .flatMap([](std::string) { return delay(refusesToWait); })
              .blockingAwait());
  }
  pool.join();
}

TEST_CASE(
    "blockingAwait fails in tasks of an io_context that the calling thread runs, and not between them") {
  asio::io_context context;
  AsioExecutor executor(context);
  Delivery<bool> first;
  Delivery<bool> second;
  delay(refusesToWait).onComplete(first.callback(), executor);
  asio::post(context, [&] { CHECK(complaint() == ""); });
  delay(refusesToWait).onComplete(second.callback(), executor);
  CHECK(complaint() == "");
  context.run();
  CHECK(complaint() == "");
  CHECK(first.outcome().get());
  CHECK(second.outcome().get());
}

TEST_CASE("blockingAwait is an error also where a run works in place, in a handler of its context") {
  asio::io_context context;
  AsioExecutor executor(context);
  Delivery<bool> delivery;
  asio::post(context, [&] {
    delay(refusesToWait).onComplete(delivery.callback(), executor);
    CHECK(delivery.count() == 1);
    CHECK(complaint() == "");
  });
  context.run();
  CHECK(delivery.outcome().get());
}

TEST_CASE("a worker that polls a context is a worker afterwards, and so is a task that polls another one") {
  asio::io_context context;
  asio::io_context inner;
  AsioExecutor executor(context);
  AsioExecutor innerExecutor(inner);
  Delivery<bool> delivery;
  Delivery<bool> innerDelivery;
  delay(refusesToWait).onComplete(innerDelivery.callback(), innerExecutor);
  delay([&] { return inner.poll() == 1 && refusesToWait(); }).onComplete(delivery.callback(), executor);
  ThreadPool pool(1);
  CHECK(
      execute(pool, [&] { return context.poll() == 1 && refusesToWait() && pool.isHere(); }).blockingAwait());
  CHECK(delivery.outcome().get());
  CHECK(innerDelivery.outcome().get());
}
