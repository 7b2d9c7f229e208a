// Defines mpiWorld, the MpiWorld of a test program, and awaitOnRank, which runs a program on each rank.
#pragma once

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

#include <cstdlib>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "support/programs/delivery.hpp"
#include "tapestry/continuation/asio/asio_executor.hpp"
#include "tapestry/distributed/mpi/mpi_world.hpp"
#include "tapestry/raii.hpp"

namespace tapestry::test {

/// The level that TAPESTRY_TEST_MPI_THREADS asks for.
inline MpiThreads mpiThreads() {
  const char* const name = std::getenv("TAPESTRY_TEST_MPI_THREADS");
  const std::string_view text = name ? name : "";
  return text == "funneled"     ? MpiThreads::funneled
         : text == "serialized" ? MpiThreads::serialized
                                : MpiThreads::multiple;
}

/// Executes all calls of MPI where only the main thread may make them.
inline boost::asio::io_context mainContext;
inline AsioExecutor mainExecutor{mainContext};

/// Made by the first call, which each process of the program makes, and destroyed at its end.
inline MpiWorld& mpiWorld() {
  static const auto world = [] {
    MpiOptions options;
    options.threads = mpiThreads();
    options.compareCalls = true;
    options.timeLimit = std::chrono::seconds(30);
    if (options.threads == MpiThreads::funneled) options.executor = &mainExecutor;
    return std::make_unique<MpiWorld>(options);
  }();
  return *world;
}

/// The outcome of the program, with its work on the executor, if there is one.
template <class A>
Outcome<A> awaitOnRank(const Do<A>& program, Executor* executor = nullptr) {
  if (mpiThreads() != MpiThreads::funneled && !executor) {
    Delivery<A> end;
    program.onComplete(end.callback());
    return std::move(end.outcome());
  }
  std::optional<Outcome<A>> outcome;
  auto guard = boost::asio::make_work_guard(mainContext);
  mainContext.restart();
  auto store = [&](Outcome<A> end) {
    boost::asio::post(mainContext, [&, kept = std::make_shared<Outcome<A>>(std::move(end))] {
      outcome.emplace(std::move(*kept));
      guard.reset();
    });
  };
  program.onComplete(std::move(store), executor ? *executor : mainExecutor);
  mainContext.run();
  return std::move(*outcome);
}

}  // namespace tapestry::test
