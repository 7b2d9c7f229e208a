// Defines tryTOverAnyMonad, the test cases of TryT that hold over every monad.
#pragma once

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>

#include "support/error_text.hpp"
#include "tapestry/raii/tryt/try_t.hpp"

namespace tapestry::test {

inline std::exception_ptr boom() { return std::make_exception_ptr(std::runtime_error("boom")); }

/// The Try that a computation over Identity, or over runs, ends with.
template <class Computation>
auto ended(const Computation& computation) {
  const auto& wrapped = computation.unwrap();
  if constexpr (requires { wrapped.value; })
    return wrapped.value;
  else
    return wrapped.blockingAwait();
}

TEST_CASE_TEMPLATE_DEFINE("TryT", M, tryTOverAnyMonad) {
  using T = TryT<M>;

  SUBCASE("map applies the function to the value") {
    CHECK(ended(T::map(T::now(3), [](int x) { return x * x; })).get() == 9);
  }
  SUBCASE("map turns what the function throws into the error") {
    CHECK(errorText(ended(T::map(T::now(3), [](int) -> int { throw std::runtime_error("boom"); })).error()) ==
          "boom");
  }
  SUBCASE("map leaves an error alone, and does not call the function") {
    int calls = 0;
    auto mapped = T::map(T::template raiseError<int>(boom()), [&calls](int) { return ++calls; });
    CHECK(errorText(ended(mapped).error()) == "boom");
    CHECK(calls == 0);
  }
  SUBCASE("map may yield another type, or void") {
    CHECK(ended(T::map(T::now(3), [](int x) { return std::to_string(x); })).get() == "3");
    CHECK(ended(T::map(T::now(3), [](int) {})).hasValue());
    CHECK(ended(T::map(T::map(T::now(3), [](int) {}), [] { return 4; })).get() == 4);
  }
  SUBCASE("flatMap continues with the computation that the function returns") {
    CHECK(ended(T::flatMap(T::now(3), [](int x) { return T::now(x + 1); })).get() == 4);
  }
  SUBCASE("flatMap turns what the function throws into the error") {
    auto program = T::flatMap(T::now(3), [](int x) {
      if (x == 3) throw std::runtime_error("boom");
      return T::now(x);
    });
    CHECK(errorText(ended(program).error()) == "boom");
  }
  SUBCASE("flatMap continues to an error, and not past one") {
    auto fails = T::flatMap(T::now(3), [](int) { return T::template raiseError<int>(boom()); });
    CHECK(errorText(ended(fails).error()) == "boom");
    int calls = 0;
    auto after = T::flatMap(fails, [&calls](int) { return T::now(++calls); });
    CHECK(errorText(ended(after).error()) == "boom");
    CHECK(calls == 0);
  }
  SUBCASE("handleError recovers from an error") {
    auto handled = T::handleError(T::template raiseError<int>(boom()), [](const std::exception_ptr& error) {
      return T::now(int(errorText(error).size()));
    });
    CHECK(ended(handled).get() == 4);
  }
  SUBCASE("handleError leaves a value alone") {
    auto handled = T::handleError(T::now(1), [](const std::exception_ptr&) { return T::now(2); });
    CHECK(ended(handled).get() == 1);
  }
  SUBCASE("what a handler throws takes the place of the error") {
    auto handled = T::handleError(T::template raiseError<int>(boom()), [](const std::exception_ptr&) {
      throw std::runtime_error("second");
      return T::now(2);
    });
    CHECK(errorText(ended(handled).error()) == "second");
  }
  SUBCASE("attempt yields the value or the error, and does not fail") {
    CHECK(ended(T::attempt(T::now(1))).get().get() == 1);
    auto failed = ended(T::attempt(T::template raiseError<int>(boom())));
    REQUIRE(failed.hasValue());
    CHECK(errorText(failed.get().error()) == "boom");
  }
  SUBCASE("lift takes a computation that has no errors") {
    typename M::template Type<int> computation = M::now(5);
    CHECK(ended(T::template lift<int>(computation)).get() == 5);
  }
  SUBCASE("mask and onStop do not change a program that is not stopped") {
    CHECK(ended(T::mask(T::now(1))).get() == 1);
    CHECK(ended(T::onStop(T::now(1), T::now(Errors(boom())))).get() == 1);
  }
}

}  // namespace tapestry::test
