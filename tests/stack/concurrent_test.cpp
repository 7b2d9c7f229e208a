#include <doctest/doctest.h>

#include <functional>
#include <ranges>

#include "support/threads/small_stack.hpp"
#include "tapestry/concurrent/channel.hpp"
#include "tapestry/concurrent/event.hpp"
#include "tapestry/concurrent/mutex.hpp"
#include "tapestry/concurrent/stream/stream.hpp"
#include "tapestry/concurrent/supervisor.hpp"
#include "tapestry/continuation/stop.hpp"
#include "tapestry/raii.hpp"

using namespace tapestry;
using test::depth;

namespace {

/// A run of its own for each costs some time; even so few have no room on the stack.
constexpr int many = depth / 10;

}  // namespace

TEST_CASE("a million sends that wait, and are received one after the other") {
  const Channel<int> channel(0);
  int sent = 0;
  for (int i = 0; i < depth; ++i)
    channel.send(i).onComplete([&sent](const auto& outcome) { sent += outcome.hasValue(); });
  CHECK(sent == 0);
  int inOrder = 0;
  for (int i = 0; i < depth; ++i) inOrder += channel.tryReceive() == i;
  CHECK(inOrder == depth);
  CHECK(sent == depth);
}

TEST_CASE("a million runs that wait for a lock, and get it one after the other") {
  const Mutex mutex;
  const Event end;
  int served = 0;
  mutex.withLock(end.wait()).onComplete([](const auto&) {});
  const auto visit = mutex.withLock(Do<void>::delay([&served] { ++served; }));
  for (int i = 0; i < depth; ++i) visit.onComplete([](const auto&) {});
  end.set();
  CHECK(served == depth);
}

TEST_CASE("many children, each of which spawns the next") {
  int begun = 0;
  std::function<Do<void>(Supervisor)> next = [&](const Supervisor& supervisor) -> Do<void> {
    if (++begun == many) return Do<void>::now();
    const auto child = Do<void>::suspend([&next, supervisor] { return next(supervisor); });
    return supervisor.spawn(child).map([](const Task<void>&) {});
  };
  supervised([&](const Supervisor& supervisor) { return next(supervisor); }).blockingAwait();
  CHECK(begun == many);
}

TEST_CASE("a request to stop many children") {
  const StopSource stop;
  int cancelled = 0;
  std::function<Do<void>(const Supervisor&, int)> spawnAll = [&](const Supervisor& supervisor,
                                                                 int left) -> Do<void> {
    if (left == 0) return Event().wait();
    return supervisor.spawn(Event().wait()).flatMap([&spawnAll, supervisor, left](const Task<void>&) {
      return spawnAll(supervisor, left - 1);
    });
  };
  supervised([&](const Supervisor& supervisor) {
    return spawnAll(supervisor, many);
  }).onComplete([&](const auto& outcome) { cancelled += outcome.isCancelled(); }, stop.token());
  CHECK(cancelled == 0);
  stop.requestStop();
  CHECK(cancelled == 1);
}

TEST_CASE("many items through stages that run programs, beside and ahead of the consumer") {
  const auto items = Stream<int>::from(std::views::iota(0, many))
                         .mapDo([](int n) { return Do<int>::now(n); })
                         .flatMap([](int n) { return Stream<int>::of({n}); })
                         .buffer(16);
  CHECK(items.fold(0, [](int n, int) { return n + 1; }).blockingAwait() == many);
}
