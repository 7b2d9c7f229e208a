// Chains and recursion of map and flatMap, a million deep, on a small native stack.
#include <doctest/doctest.h>

#include "support/programs/counted.hpp"
#include "support/threads/small_stack.hpp"
#include "tapestry/continuation.hpp"

using namespace tapestry;
using test::Counted;
using test::depth;

namespace {

UnitContinuation<int> nestedLeft(UnitContinuation<int> program) {
  for (int i = 0; i < depth; i += 2)
    program = std::move(program).map([](int x) { return x + 1; }).flatMap([](int x) { return now(x + 1); });
  return program;
}

UnitContinuation<int> countdown(int i) {
  return now(i).flatMap([](int x) -> UnitContinuation<int> {
    if (x == 0) return now(0);
    return countdown(x - 1);
  });
}

/// Recursion that leaves something to do at each level.
UnitContinuation<int> count(int i) {
  return suspend([i]() -> UnitContinuation<int> {
    if (i == 0) return now(0);
    return count(i - 1).map([](int x) { return x + 1; });
  });
}

}  // namespace

TEST_CASE("left-nested map and flatMap run a million deep and run again") {
  const auto program = nestedLeft(now(0));
  CHECK(program.blockingAwait() == depth);
  CHECK(program.blockingAwait() == depth);
}

TEST_CASE("left-nested flatMap over an asynchronous leaf runs a million deep") {
  const auto leaf = async<int>([](Callback<int> callback) { callback(1); });
  CHECK(nestedLeft(leaf).blockingAwait() == depth + 1);
}

TEST_CASE("a program a million deep is built and destroyed without being run") {
  {
    const auto program = nestedLeft(delay([counted = Counted(1)] { return counted.value(); }));
    const auto copy = program;
    CHECK(Counted::live() == 1);
  }
  CHECK(Counted::live() == 0);
}

TEST_CASE("a million captures are destroyed with the program that nests them") {
  {
    UnitContinuation<int> program = now(0);
    for (int i = 0; i < depth; ++i)
      program = std::move(program).map([counted = Counted(1)](int x) { return x + counted.value(); });
    CHECK(Counted::live() == depth);
  }
  CHECK(Counted::live() == 0);
}

TEST_CASE("tail recursion through flatMap runs a million deep") {
  CHECK(countdown(depth).blockingAwait() == 0);
}

TEST_CASE("recursion that has still something to do runs a million deep") {
  CHECK(count(depth).blockingAwait() == depth);
}

TEST_CASE("programs that hold each other are destroyed a million deep") {
  {
    UnitContinuation<int> program = now(1);
    for (int i = 0; i < depth; ++i)
      program = now(1).flatMap([inner = std::move(program), counted = Counted()](int) { return inner; });
    CHECK(Counted::live() == depth);
    CHECK(program.blockingAwait() == 1);
  }
  CHECK(Counted::live() == 0);
}

TEST_CASE("tailRecM runs a million rounds") {
  const auto loop = tailRecM(
      0, [](int i) { return now(i < depth ? Step<int, int>::next(i + 1) : Step<int, int>::done(i)); });
  CHECK(loop.blockingAwait() == depth);
}

TEST_CASE("sequential tuple2 runs nested a million deep on the left and on the right") {
  const auto sum = [](std::tuple<int, int> both) { return std::get<0>(both) + std::get<1>(both); };
  UnitContinuation<int> left = now(0);
  UnitContinuation<int> right = now(0);
  for (int i = 0; i < depth; ++i) {
    left = tuple2(std::move(left), now(1)).map(sum);
    right = tuple2(now(1), std::move(right)).map(sum);
  }
  CHECK(left.blockingAwait() == depth);
  CHECK(right.blockingAwait() == depth);
}
