#include "tapestry/continuation/monad/monad.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <utility>

#include "tapestry/continuation/unit_continuation_monad.hpp"
#include "tapestry/testing/identity.hpp"

using namespace tapestry;

namespace {

struct NoMonad {
  template <class A>
  using Type = A;
};

/// As Identity, and without a way to finalize.
struct NoFinalizers {
  template <class A>
  using Type = testing::Identity<A>;
  template <class A>
  static auto now(A value) {
    return testing::IdentityMonad::now(std::move(value));
  }
  template <class A, class F>
  static auto map(testing::Identity<A> source, F function) {
    return testing::IdentityMonad::map(std::move(source), std::move(function));
  }
  template <class A>
  static testing::Identity<A> mask(testing::Identity<A> source) {
    return source;
  }
};

}  // namespace

TEST_CASE("Monad accepts a tag with all operations, and nothing less") {
  static_assert(Monad<testing::IdentityMonad>);
  static_assert(Monad<UnitContinuationMonad>);
  static_assert(!Monad<NoMonad>);
  static_assert(!Monad<NoFinalizers>);
  static_assert(!Monad<int>);
  CHECK(Monad<UnitContinuationMonad>);
}

TEST_CASE("give yields a value that cannot be copied, once") {
  auto identity = detail::give<testing::IdentityMonad>(std::make_unique<int>(1));
  CHECK(*identity.value == 1);
  const UnitContinuation<std::unique_ptr<int>> program =
      detail::give<UnitContinuationMonad>(std::make_unique<int>(2));
  CHECK(*program.blockingAwait() == 2);
}

TEST_CASE("Once gives its value away") {
  const detail::Once<std::unique_ptr<int>> once(std::make_unique<int>(3));
  CHECK(*once.take() == 3);
  CHECK(once.take() == nullptr);
}
