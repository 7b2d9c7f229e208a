// Leaves that complete at once or on other threads, a million in a row, on a small native stack.
#include <doctest/doctest.h>

#include <optional>

#include "support/threads/small_stack.hpp"
#include "tapestry/continuation.hpp"
#include "tapestry/continuation/asio/thread_pool.hpp"

using namespace tapestry;
using test::depth;

namespace {

/// Repeats the leaf, which yields what it is given plus one.
template <class Leaf>
auto repeat(Leaf leaf) {
  return tailRecM(0, [leaf](int i) {
    return leaf(i).map([](int x) { return x < depth ? Step<int, int>::next(x) : Step<int, int>::done(x); });
  });
}

}  // namespace

TEST_CASE("a million leaves in a row complete in their own registration") {
  const auto leaf = [](int i) { return async<int>([i](Callback<int> callback) { callback(i + 1); }); };
  CHECK(repeat(leaf).blockingAwait() == depth);
}

TEST_CASE("a million leaves in a row complete through the executor of their caller") {
  const auto leaf = [](int i) { return execute(Executor::inlined(), [i] { return i + 1; }); };
  CHECK(repeat(leaf).blockingAwait() == depth);
}

TEST_CASE("a run shifts a million times") {
  ThreadPool pool(2);
  CHECK(repeat([&](int i) { return execute(pool, [i] { return i + 1; }); }).blockingAwait() == depth);
}

TEST_CASE("a recursion of asynchronous leaves a million deep unwinds when its last callback dies") {
  struct Recursion {
    static UnitContinuation<int> from(int i) {
      return async<int>([i](Callback<int> callback) {
               if (i > 0) callback(i - 1);
             })
          .flatMap([](int x) { return from(x).map([](int y) { return y + 1; }); });
    }
  };
  CHECK_THROWS_AS(Recursion::from(depth).blockingAwait(), BrokenCallback);
}

TEST_CASE("a million runs that wait for each other end one after the other") {
  int ended = 0;
  std::optional<Callback<void>> last;
  for (int i = 0; i < depth; ++i)
    async<void>([&](Callback<void> callback) {
      last = std::move(callback);
    }).onComplete([&ended, previous = last](Outcome<void>) {
      ++ended;
      if (previous) (*previous)();
    });
  (*last)();
  CHECK(ended == depth);
}
