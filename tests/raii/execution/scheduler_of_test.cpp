#include "support/programs/senders.hpp"
//
#include "tapestry/raii/execution/scheduler_of.hpp"

#include <doctest/doctest.h>

#include <exception>
#include <type_traits>
#include <utility>

#include "support/callable.hpp"
#include "tapestry/continuation/asio/thread_pool.hpp"
#include "tapestry/raii/execution/from_sender.hpp"

using namespace tapestry;
namespace senders = test::senders;
using execution::schedulerOf;

static_assert(TAPESTRY_CALLABLE(execution::schedulerOf, Executor&) &&
              !TAPESTRY_CALLABLE(execution::schedulerOf, Nothing));

static_assert(std::is_same_v<
              senders::completion_signatures_of_t<decltype(schedulerOf(std::declval<Executor&>()).schedule()),
                                                  senders::EmptyEnv>,
              senders::completion_signatures<senders::set_value_t(), senders::set_error_t(std::exception_ptr),
                                             senders::set_stopped_t()>>);

TEST_CASE("the sender of a scheduler completes on the executor") {
  ThreadPool pool(1);
  const auto sender = senders::then(schedulerOf(pool).schedule(), [&] { return pool.isHere(); });
  CHECK(senders::sync_wait<bool>(sender) == true);
  CHECK(fromSender(sender).blockingAwait());
}

TEST_CASE("schedulers are equal where their executors are the same, and their senders name them") {
  ThreadPool pool(1), other(1);
  CHECK(schedulerOf(pool) == schedulerOf(pool));
  CHECK(schedulerOf(pool) != schedulerOf(other));
  const auto env = senders::get_env(schedulerOf(pool).schedule());
  CHECK(senders::get_completion_scheduler<senders::set_value_t>(env) == schedulerOf(pool));
}

TEST_CASE("a request to stop before the task's turn stops the operation") {
  ThreadPool pool(1);
  senders::Probe<int> probe;
  probe.source.request_stop();
  auto operation =
      senders::connect(senders::then(schedulerOf(pool).schedule(), [] { return 1; }), probe.receiver());
  senders::start(operation);
  probe.wait();
  CHECK(probe.stopped);
}
