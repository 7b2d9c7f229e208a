#include "tapestry/raii/tryt/try_t.hpp"

#include <doctest/doctest.h>

#include <memory>

#include "raii/tryt/try_t_cases.hpp"
#include "tapestry/testing/identity.hpp"

namespace tapestry::detail {
// these lines do not compile where the run loop is included
enum class Node {};
enum class Run {};
}  // namespace tapestry::detail

using namespace tapestry;

namespace tapestry::test {
TEST_CASE_TEMPLATE_INVOKE(tryTOverAnyMonad, testing::IdentityMonad);
}

TEST_CASE("TryT is a monad that transformers can be put upon") {
  static_assert(Monad<TryT<testing::IdentityMonad>>);
  static_assert(Monad<TryT<TryT<testing::IdentityMonad>>>);
  using T = TryT<TryT<testing::IdentityMonad>>;
  const auto computation = T::map(T::now(3), [](int x) { return x + 1; });
  CHECK(computation.unwrap().unwrap().value.get().get() == 4);
}

TEST_CASE("TryT moves values that cannot be copied") {
  using T = TryT<testing::IdentityMonad>;
  auto made = T::map(T::now(3), [](int x) { return std::make_unique<int>(x); });
  auto mapped = T::map(std::move(made), [](std::unique_ptr<int> p) { return p; });
  auto handled = T::handleError(std::move(mapped), [](const std::exception_ptr& error) {
    return T::raiseError<std::unique_ptr<int>>(error);
  });
  CHECK(*std::move(handled).unwrap().value.get() == 3);
}
