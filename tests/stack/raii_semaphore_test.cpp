#include <doctest/doctest.h>

#include <optional>

#include "support/threads/small_stack.hpp"
#include "tapestry/raii.hpp"
#include "tapestry/raii/semaphore.hpp"

using namespace tapestry;
using test::depth;

namespace {}  // namespace

TEST_CASE("a million runs that wait for one permit, and get it one after the other") {
  const Semaphore semaphore(1);
  std::optional<Callback<Try<void>>> holding;
  int served = 0;
  const auto hold = Do<void>::async([&holding](const auto& callback) { holding = callback; });
  semaphore.withPermit(hold).onComplete([](const auto&) {});
  const auto visit = semaphore.withPermit(Do<void>::delay([&served] { ++served; }));
  for (int i = 0; i < depth; ++i) visit.onComplete([](const auto&) {});
  CHECK(served == 0);
  (*holding)(Try<void>::success(Unit{}));
  CHECK(served == depth);
  CHECK(semaphore.available() == 1);
}

TEST_CASE("a million permits that are given back at once to a million runs that wait") {
  const Semaphore semaphore(depth);
  std::optional<Callback<Try<void>>> holding;
  int served = 0;
  const auto hold = Do<void>::async([&holding](const auto& callback) { holding = callback; });
  semaphore.withPermit(hold, depth).onComplete([](const auto&) {});
  for (int i = 0; i < depth; ++i)
    semaphore.permit().onComplete([&served](const auto& outcome) { served += outcome.hasValue(); });
  (*holding)(Try<void>::success(Unit{}));
  CHECK(served == depth);
  CHECK(semaphore.available() == static_cast<std::size_t>(depth));
}

TEST_CASE("a million runs that wait for a permit and are asked to stop") {
  const Semaphore semaphore(2);
  const StopSource source;
  int cancelled = 0;
  std::optional<Callback<Try<void>>> holding;
  const auto hold = Do<void>::async([&holding](const auto& callback) { holding = callback; });
  semaphore.withPermit(hold).onComplete([](const auto&) {});
  for (int i = 0; i < depth; ++i)
    semaphore.permit(2).onComplete([&cancelled](const auto& outcome) { cancelled += outcome.isCancelled(); },
                                   source.token());
  source.requestStop();
  CHECK(cancelled == depth);
  CHECK(semaphore.available() == 1);
  (*holding)(Try<void>::success(Unit{}));
}
