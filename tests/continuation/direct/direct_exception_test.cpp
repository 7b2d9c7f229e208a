// The C++ runtime's state of exceptions belongs to each block on a fiber, whatever other blocks and threads
// do meanwhile.
#include <doctest/doctest.h>

#include <exception>
#include <stdexcept>
#include <string>
#include <thread>

#include "support/programs/runs.hpp"
#include "tapestry/continuation/direct/direct.hpp"

using namespace tapestry;
using test::Delivery;
using test::Manual;

namespace {

/// Awaits in a handler, then rethrows what is being handled, and gives its text.
UnitContinuation<std::string> rethrowing(std::string text, Manual<void>& manual) {
  return direct<UnitContinuation>([=, &manual]() -> std::string {
    try {
      try {
        throw std::runtime_error(text);
      } catch (const std::runtime_error&) {
        !manual.program();
        throw;
      }
    } catch (const std::runtime_error& error) {
      !manual.program();
      return error.what();
    }
  });
}

}  // namespace

TEST_CASE("a handler that awaits can rethrow its exception afterwards") {
  Manual<void> manual;
  Delivery<std::string> delivery;
  rethrowing("one", manual).onComplete(delivery.callback());
  CHECK(std::current_exception() == nullptr);
  manual.take()();
  manual.take()();
  CHECK(delivery.outcome().get() == "one");
}

TEST_CASE("two blocks that take turns in their handlers keep their own exceptions") {
  Manual<void> manual;
  Delivery<std::string> first;
  Delivery<std::string> second;
  rethrowing("one", manual).onComplete(first.callback());
  rethrowing("two", manual).onComplete(second.callback());
  auto one = manual.take();
  auto two = manual.take();
  one();
  two();
  CHECK(std::current_exception() == nullptr);
  manual.take()();
  manual.take()();
  CHECK(first.outcome().get() == "one");
  CHECK(second.outcome().get() == "two");
}

TEST_CASE("a handler continues on another thread") {
  Manual<void> manual;
  Delivery<std::string> delivery;
  rethrowing("far", manual).onComplete(delivery.callback());
  std::thread([&] { manual.take()(); }).join();
  try {
    throw std::logic_error("near");
  } catch (const std::logic_error&) {
    std::thread([&] { manual.take()(); }).join();
    CHECK_THROWS_AS(throw, std::logic_error);
  }
  CHECK(delivery.outcome().get() == "far");
}

TEST_CASE("a block that is begun in a handler knows nothing of the exception there") {
  Manual<void> manual;
  Delivery<bool> delivery;
  try {
    throw std::runtime_error("outer");
  } catch (const std::runtime_error&) {
    direct<UnitContinuation>([&] {
      const bool before = std::current_exception() == nullptr;
      !manual.program();
      return before && std::current_exception() == nullptr;
    }).onComplete(delivery.callback());
    CHECK(std::current_exception() != nullptr);
  }
  manual.take()();
  CHECK(delivery.outcome().get());
}

TEST_CASE("exceptions that are on their way are counted for each stack") {
  int count = -1;
  struct Probe {
    int& count;
    ~Probe() {
      direct<UnitContinuation>([this] { count = std::uncaught_exceptions(); }).blockingAwait();
      count += 10 * std::uncaught_exceptions();
    }
  };
  try {
    const Probe probe{count};
    throw 1;
  } catch (int) {
  }
  CHECK(count == 10);
}
