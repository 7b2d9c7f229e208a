// TryT and ResourceT together, and over runs.
#include <doctest/doctest.h>

#include <memory>
#include <stdexcept>
#include <string>

#include "raii/tryt/try_t_cases.hpp"
#include "support/error_text.hpp"
#include "tapestry/continuation/unit_continuation_monad.hpp"
#include "tapestry/raii/resourcet/resource_t.hpp"
#include "tapestry/raii/tryt/try_t.hpp"
#include "tapestry/testing/identity.hpp"

using namespace tapestry;
using test::errorOf;
using test::errorText;

namespace {

std::exception_ptr error(const std::string& text) {
  return std::make_exception_ptr(std::runtime_error(text));
}

}  // namespace

namespace tapestry::test {
TEST_CASE_TEMPLATE_INVOKE(tryTOverAnyMonad, UnitContinuationMonad);
}

TEST_CASE(
    "TryT over a run that is stopped runs the finalizer of onStop, and a finalizer that fails adds its "
    "error") {
  static_assert(Monad<TryT<UnitContinuationMonad>>);
  using T = TryT<UnitContinuationMonad>;
  const StopSource source;
  auto stopping = T::flatMap(T::map(T::now(1),
                                    [source](int) {
                                      source.requestStop();
                                      return 2;
                                    }),
                             [](int x) { return T::now(x); });
  const auto program = T::onStop(stopping, T::raiseError<Errors>(error("boom")));
  CHECK(errorOf([&] { (void)program.unwrap().blockingAwait(source.token()); }) == "boom");
}

TEST_CASE("TryT over runs moves values that cannot be copied") {
  using T = TryT<UnitContinuationMonad>;
  auto made = T::map(T::now(3), [](int x) { return std::make_unique<int>(x); });
  auto mapped = T::map(std::move(made), [](std::unique_ptr<int> p) { return p; });
  auto handled = T::handleError(std::move(mapped), [](const std::exception_ptr& caught) {
    return T::raiseError<std::unique_ptr<int>>(caught);
  });
  CHECK(*handled.unwrap().blockingAwait().get() == 3);
}

TEST_CASE("sequence of releases works over runs as well") {
  using Monad = UnitContinuationMonad;
  std::string log;
  auto releasingInRun = [&log](std::string name) {
    return UnitContinuation<Errors>(delay([&log, name] {
      log += name;
      return Errors(std::make_exception_ptr(std::runtime_error(name)));
    }));
  };
  const auto both = sequence<Monad>(releasingInRun("a"), releasingInRun("b"));
  CHECK(log.empty());
  CHECK(errorText(both->blockingAwait()) == "[a, b]");
  CHECK(log == "ab");
}

TEST_CASE("ResourceT stacks under TryT, and not over it, where a failure would drop a release") {
  using testing::IdentityMonad;
  static_assert(Monad<ResourceT<UnitContinuationMonad>>);
  static_assert(Monad<ResourceT<ResourceT<IdentityMonad>>>);
  static_assert(Monad<TryT<ResourceT<IdentityMonad>>>);
  static_assert(MonadWithoutErrors<UnitContinuationMonad> && MonadWithoutErrors<ResourceT<IdentityMonad>>);
  static_assert(!MonadWithoutErrors<TryT<IdentityMonad>> && !MonadWithoutErrors<TryT<UnitContinuationMonad>>);
  using T = TryT<ResourceT<IdentityMonad>>;
  const auto thrown = T::map(T::now(1), [](int) -> int { throw std::runtime_error("no"); });
  CHECK(errorText(ResourceT<IdentityMonad>::run(thrown.unwrap()).value.error()) == "no");
}

TEST_CASE("ResourceT over runs works with values that cannot be copied") {
  using T = ResourceT<UnitContinuationMonad>;
  int released = 0;
  T::Type<std::unique_ptr<int>> source(
      UnitContinuation<Resource<UnitContinuationMonad, std::unique_ptr<int>>>(delay([&released] {
        return Resource<UnitContinuationMonad, std::unique_ptr<int>>{
            std::make_unique<int>(3), UnitContinuation<Errors>(delay([&released] {
              ++released;
              return Errors();
            }))};
      })));
  auto both = T::flatMap(source, [source](std::unique_ptr<int> first) {
    return T::map(source,
                  [x = *first](std::unique_ptr<int> second) { return std::make_unique<int>(x + *second); });
  });
  CHECK(*T::run(std::move(both)).blockingAwait() == 6);
  CHECK(released == 2);
}

TEST_CASE(
    "a finalizer that holds resources of its own releases them, and adds their errors to those of the stop") {
  using T = ResourceT<UnitContinuationMonad>;
  using Held = Resource<UnitContinuationMonad, Errors>;
  const StopSource source;
  auto stopping = T::flatMap(T::map(T::now(1),
                                    [source](int) {
                                      source.requestStop();
                                      return 2;
                                    }),
                             [](int x) { return T::now(x); });
  T::Type<Errors> finalizer(UnitContinuation<Held>(delay([] {
    return Held{Errors(error("a")), UnitContinuation<Errors>(now(Errors(error("b"))))};
  })));
  const auto program = T::run(T::onStop(stopping, finalizer));
  CHECK(errorOf([&] { program.blockingAwait(source.token()); }) == "[a, b]");
}
