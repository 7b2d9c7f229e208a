#include "tapestry/raii/on.hpp"

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>
#include <thread>

#include "support/programs/fake_resource.hpp"
#include "support/programs/runs.hpp"
#include "support/threads/executors.hpp"
#include "tapestry/continuation/asio/thread_pool.hpp"

using namespace tapestry;
using test::errorOf;
using test::FakeResources;

namespace {

using Thread = std::thread::id;

Do<Thread> here() {
  return Do<Thread>::delay([] { return std::this_thread::get_id(); });
}

}  // namespace

TEST_CASE("on runs a Do on the executor and comes back") {
  ThreadPool pool(1);
  const Thread there = Do<Thread>::execute(pool, [] { return std::this_thread::get_id(); }).blockingAwait();
  CHECK(on(pool, here()).blockingAwait() == there);
  CHECK(on(pool, here()).flatMap([](Thread) { return here(); }).blockingAwait() ==
        std::this_thread::get_id());
}

TEST_CASE("on comes back when the Do fails") {
  ThreadPool pool(1);
  Thread handled;
  const auto failing =
      on(pool, Do<int>::raiseError(std::runtime_error("no"))).handleError([&handled](const auto&) {
        handled = std::this_thread::get_id();
        return Do<int>::now(1);
      });
  CHECK(failing.blockingAwait() == 1);
  CHECK(handled == std::this_thread::get_id());
}

TEST_CASE(
    "resources of on are released where the scope ends, and resources of a scope within it on the executor") {
  ThreadPool pool(1);
  Thread released;
  const auto held = resource(Do<Thread>::delay([] { return std::this_thread::get_id(); }),
                             [&released](Thread) { released = std::this_thread::get_id(); });
  const Thread there = on(pool, held).blockingAwait();
  CHECK(there != std::this_thread::get_id());
  CHECK(released == std::this_thread::get_id());
  CHECK(on(pool, held.run()).blockingAwait() == there);
  CHECK(released == there);
}

TEST_CASE("an executor that refuses the run of on is an error that handleError sees") {
  test::RefusingExecutor refusing;
  const auto program = on(refusing, Do<int>::now(1)).handleError([](const std::exception_ptr& error) {
    CHECK(test::errorText(error) == ExecutorStopped().what());
    return Do<int>::now(2);
  });
  CHECK(program.blockingAwait() == 2);
}

TEST_CASE("where the way back from on is refused, what was acquired is released, and the error is seen") {
  FakeResources fake;
  test::QueueExecutor home;
  test::QueueExecutor away;
  test::Delivery<int> delivery;
  std::string handled;
  on(away, fake.make("a"))
      .map([](const std::string&) { return 1; })
      .handleError([&handled](const std::exception_ptr& error) {
        handled = test::errorText(error);
        return Do<int>::now(2);
      })
      .onComplete(delivery.callback(), home);
  home.work();
  home.stop();
  away.work();
  CHECK(delivery.outcome().get() == 2);
  CHECK(handled == ExecutorStopped().what());
  CHECK(fake.log() == "+a -a");
}
