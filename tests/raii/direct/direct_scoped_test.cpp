// directScoped: a block that is a scope, on fibers and in coroutines.
#include <doctest/doctest.h>

#include <stdexcept>
#include <string>

#include "support/error_text.hpp"
#include "support/programs/fake_resource.hpp"
#include "tapestry/raii.hpp"
#include "tapestry/raii/coroutine/coroutine.hpp"
#include "tapestry/raii/direct/direct.hpp"

using namespace tapestry;
using test::errorOf;
using test::FakeResources;

TEST_CASE("a scoped block releases what it has awaited when it ends and an unscoped one does not") {
  const auto logOf = [](auto makeBlock) {
    FakeResources fake;
    makeBlock(fake).map([&](const std::string&) { fake.note("after"); }).blockingAwait();
    return fake.log();
  };
  const auto onFiber = [](FakeResources& fake) {
    return [&fake] {
      !fake.make("a");
      return !fake.make("b");
    };
  };
  const auto inCoroutine = [](FakeResources& fake) {
    return [&fake]() -> Coroutine<std::string> {
      co_await fake.make("a");
      co_return co_await fake.make("b");
    };
  };
  const std::string scoped = "+a +b -b -a after";
  const std::string unscoped = "+a +b after -b -a";
  CHECK(logOf([&](FakeResources& fake) { return direct<Do>(onFiber(fake)); }) == unscoped);
  CHECK(logOf([&](FakeResources& fake) { return direct<Do>(inCoroutine(fake)); }) == unscoped);
  CHECK(logOf([&](FakeResources& fake) { return directScoped(onFiber(fake)); }) == scoped);
  CHECK(logOf([&](FakeResources& fake) { return directScoped(inCoroutine(fake)); }) == scoped);
}

TEST_CASE("a scoped block within a block releases before the outer block continues") {
  FakeResources fake;
  direct<Do>([&] {
    !fake.make("outer");
    !directScoped([&] { return !fake.make("inner"); });
    fake.note("goes on");
  }).blockingAwait();
  CHECK(fake.log() == "+outer +inner -inner goes on -outer");
}

TEST_CASE("a scoped block that fails releases what it has awaited and errors of that are added") {
  FakeResources fake;
  const auto program = directScoped([&] {
    !fake.make("a");
    throw std::runtime_error("failed");
  });
  CHECK(errorOf([&] { program.blockingAwait(); }) == "failed");
  CHECK(fake.log() == "+a -a");
}
