#include "tapestry/testing/identity.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <stdexcept>
#include <string>

using namespace tapestry;
using testing::Identity;
using testing::IdentityMonad;

TEST_CASE("Identity is a monad whose computations are values") {
  static_assert(Monad<IdentityMonad>);
  CHECK(IdentityMonad::now(3).value == 3);
  CHECK(IdentityMonad::map(IdentityMonad::now(3), [](int x) { return std::to_string(x); }).value == "3");
  CHECK(IdentityMonad::flatMap(IdentityMonad::now(3), [](int x) {
          return IdentityMonad::now(x + 1);
        }).value == 4);
  CHECK(IdentityMonad::now(3) == Identity<int>{3});
}

TEST_CASE("Identity performs its effects when it is built, once") {
  int calls = 0;
  const auto computation = IdentityMonad::map(IdentityMonad::now(1), [&calls](int x) { return x + ++calls; });
  CHECK(calls == 1);
  CHECK(computation.value == 2);
  CHECK(calls == 1);
}

TEST_CASE("nothing stops an Identity, so mask and onStop change nothing") {
  CHECK(IdentityMonad::mask(IdentityMonad::now(1)).value == 1);
  CHECK(IdentityMonad::onStop(IdentityMonad::now(1), IdentityMonad::now(Errors())).value == 1);
}

TEST_CASE("an Identity moves a value that cannot be copied") {
  auto computation = IdentityMonad::map(IdentityMonad::now(std::make_unique<int>(5)),
                                        [](std::unique_ptr<int> p) { return p; });
  CHECK(*computation.value == 5);
}

TEST_CASE("an exception of a function goes to the caller of Identity's map") {
  CHECK_THROWS_AS(
      IdentityMonad::map(IdentityMonad::now(1), [](int) -> int { throw std::runtime_error("no"); }),
      std::runtime_error);
}
