#include "tapestry/raii/try_t.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <stdexcept>
#include <string>

#include "support/error_text.hpp"
#include "tapestry/continuation/unit_continuation_monad.hpp"
#include "tapestry/testing/identity.hpp"

using namespace tapestry;
using tapestry::test::errorText;

namespace {

struct Boom : std::runtime_error {
  explicit Boom(const char* text = "boom") : std::runtime_error(text) {}
};

std::exception_ptr boom() { return std::make_exception_ptr(Boom()); }

/// The Try that a computation over either monad ends with.
template <class A>
Try<A> ended(const TryT<testing::IdentityMonad>::Type<A>& computation) {
  return computation.unwrap().value;
}
template <class A>
Try<A> ended(const TryT<UnitContinuationMonad>::Type<A>& computation) {
  return computation.unwrap().blockingAwait();
}

}  // namespace

TEST_CASE_TEMPLATE_DEFINE("TryT", M, tryTOverAnyMonad) {
  using T = TryT<M>;

  SUBCASE("map applies the function to the value") {
    CHECK(ended<int>(T::map(T::now(3), [](int x) { return x * x; })).get() == 9);
  }
  SUBCASE("map turns what the function throws into the error") {
    CHECK(errorText(ended<int>(T::map(T::now(3), [](int) -> int { throw Boom(); })).error()) == "boom");
  }
  SUBCASE("map leaves an error alone, and does not call the function") {
    int calls = 0;
    auto mapped = T::map(T::template raiseError<int>(boom()), [&calls](int) { return ++calls; });
    CHECK(errorText(ended<int>(mapped).error()) == "boom");
    CHECK(calls == 0);
  }
  SUBCASE("map may yield another type, or void") {
    CHECK(ended<std::string>(T::map(T::now(3), [](int x) { return std::to_string(x); })).get() == "3");
    CHECK(ended<void>(T::map(T::now(3), [](int) {})).hasValue());
    CHECK(ended<int>(T::map(T::map(T::now(3), [](int) {}), [] { return 4; })).get() == 4);
  }
  SUBCASE("flatMap goes on with the computation that the function returns") {
    CHECK(ended<int>(T::flatMap(T::now(3), [](int x) { return T::now(x + 1); })).get() == 4);
  }
  SUBCASE("flatMap turns what the function throws into the error") {
    auto program = T::flatMap(T::now(3), [](int x) {
      if (x == 3) throw Boom();
      return T::now(x);
    });
    CHECK(errorText(ended<int>(program).error()) == "boom");
  }
  SUBCASE("flatMap goes on to an error, and not past one") {
    auto fails = T::flatMap(T::now(3), [](int) { return T::template raiseError<int>(boom()); });
    CHECK(errorText(ended<int>(fails).error()) == "boom");
    int calls = 0;
    auto after = T::flatMap(fails, [&calls](int) { return T::now(++calls); });
    CHECK(errorText(ended<int>(after).error()) == "boom");
    CHECK(calls == 0);
  }
  SUBCASE("handleError recovers from an error") {
    auto handled = T::handleError(T::template raiseError<int>(boom()), [](const std::exception_ptr& error) {
      return T::now(int(errorText(error).size()));
    });
    CHECK(ended<int>(handled).get() == 4);
  }
  SUBCASE("handleError leaves a value alone") {
    auto handled = T::handleError(T::now(1), [](const std::exception_ptr&) { return T::now(2); });
    CHECK(ended<int>(handled).get() == 1);
  }
  SUBCASE("what a handler throws takes the place of the error") {
    auto handled = T::handleError(T::template raiseError<int>(boom()), [](const std::exception_ptr&) {
      throw Boom("second");
      return T::now(2);
    });
    CHECK(errorText(ended<int>(handled).error()) == "second");
  }
  SUBCASE("attempt yields the value or the error, and does not fail") {
    CHECK(ended<Try<int>>(T::attempt(T::now(1))).get().get() == 1);
    auto failed = ended<Try<int>>(T::attempt(T::template raiseError<int>(boom())));
    REQUIRE(failed.hasValue());
    CHECK(errorText(failed.get().error()) == "boom");
  }
  SUBCASE("lift takes a computation that has no errors") {
    typename M::template Type<int> computation = M::now(5);
    CHECK(ended<int>(T::template lift<int>(computation)).get() == 5);
  }
  SUBCASE("mask and onStop do not change what is not stopped") {
    CHECK(ended<int>(T::mask(T::now(1))).get() == 1);
    CHECK(ended<int>(T::onStop(T::now(1), T::now(Errors(boom())))).get() == 1);
  }
}
TEST_CASE_TEMPLATE_INVOKE(tryTOverAnyMonad, testing::IdentityMonad, UnitContinuationMonad);

TEST_CASE("TryT is a monad that transformers can be put upon") {
  static_assert(Monad<TryT<testing::IdentityMonad>>);
  static_assert(Monad<TryT<UnitContinuationMonad>>);
  static_assert(Monad<TryT<TryT<testing::IdentityMonad>>>);
  using T = TryT<TryT<testing::IdentityMonad>>;
  const auto computation = T::map(T::now(3), [](int x) { return x + 1; });
  CHECK(computation.unwrap().unwrap().value.get().get() == 4);
}

TEST_CASE(
    "TryT over a run that is stopped runs the finalizer of onStop, and a finalizer that fails adds its "
    "error") {
  using T = TryT<UnitContinuationMonad>;
  const StopSource source;
  auto stopping = T::flatMap(T::map(T::now(1),
                                    [source](int) {
                                      source.requestStop();
                                      return 2;
                                    }),
                             [](int x) { return T::now(x); });
  const auto program = T::onStop(stopping, T::raiseError<Errors>(boom()));
  CHECK_THROWS_AS((void)program.unwrap().blockingAwait(source.token()), Boom);
}

TEST_CASE("TryT moves values that cannot be copied") {
  using T = TryT<UnitContinuationMonad>;
  auto made = T::map(T::now(3), [](int x) { return std::make_unique<int>(x); });
  auto mapped = T::map(std::move(made), [](std::unique_ptr<int> p) { return p; });
  auto handled = T::handleError(std::move(mapped), [](const std::exception_ptr& error) {
    return T::raiseError<std::unique_ptr<int>>(error);
  });
  CHECK(*handled.unwrap().blockingAwait().get() == 3);
}
