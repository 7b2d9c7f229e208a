#include "tapestry/raii/resourcet/resource_t.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <stdexcept>
#include <string>

#include "support/error_text.hpp"
#include "support/programs/io_monad.hpp"
#include "tapestry/testing/identity.hpp"

namespace tapestry::detail {
// these lines do not compile where the run loop is included
enum class Node {};
enum class Run {};
}  // namespace tapestry::detail

using namespace tapestry;
using test::errorOf;
using test::errorText;
using test::Io;
using test::IoMonad;

namespace {

std::exception_ptr error(const std::string& text) {
  return std::make_exception_ptr(std::runtime_error(text));
}

/// A resource over Io that logs what happens to it.
ResourceT<IoMonad>::Type<std::string> fake(std::string& log, const std::string& name) {
  return ResourceT<IoMonad>::Type<std::string>(Io<Resource<IoMonad, std::string>>{[&log, name] {
    log += "+" + name;
    return Resource<IoMonad, std::string>{name, Io<Errors>{[&log, name] {
                                            log += "-" + name;
                                            return Errors();
                                          }}};
  }});
}

/// A value that takes up errors.
struct Result {
  void absorb(const Errors& more) { errors.append(more); }
  Errors errors;
};

/// A value over Identity whose release has the error.
template <class A>
auto held(A value, const std::string& name) {
  using M = testing::IdentityMonad;
  return ResourceT<M>::Type<A>(M::now(Resource<M, A>{std::move(value), M::now(Errors(error(name)))}));
}

}  // namespace

TEST_CASE("ResourceT acquires when it is run, and not before, and has released afterwards") {
  using T = ResourceT<IoMonad>;
  std::string log;
  const auto scope = T::run(T::map(fake(log, "a"), [&log](const std::string& name) {
    log += "use";
    return name + "!";
  }));
  CHECK(log.empty());
  CHECK(scope.run() == "a!");
  CHECK(log == "+ause-a");
  CHECK(scope.run() == "a!");
  CHECK(log == "+ause-a+ause-a");
}

TEST_CASE("ResourceT's flatMap holds both resources, and releases the later one first") {
  using T = ResourceT<IoMonad>;
  std::string log;
  const auto both = T::flatMap(fake(log, "a"), [&log](const std::string& first) {
    return T::map(fake(log, "b"), [&log, first](const std::string& second) {
      log += "use";
      return first + second;
    });
  });
  CHECK(T::run(both).run() == "ab");
  CHECK(log == "+a+buse-b-a");
}

TEST_CASE("a scope within a scope of ResourceT releases first") {
  using T = ResourceT<IoMonad>;
  std::string log;
  const auto outer = T::flatMap(fake(log, "a"), [&log](const std::string&) {
    return T::map(T::lift<std::string>(T::run(fake(log, "b"))), [&log](const std::string& name) {
      log += "use";
      return name;
    });
  });
  CHECK(T::run(outer).run() == "b");
  CHECK(log == "+a+b-buse-a");
}

TEST_CASE("ResourceT's acquire leaves the release to the caller") {
  std::string log;
  auto resource = fake(log, "a").acquire().run();
  CHECK(log == "+a");
  CHECK(resource.value == "a");
  CHECK(resource.release->run().empty());
  CHECK(log == "+a-a");
}

TEST_CASE(
    "over Identity, errors of releases are absorbed by the value of the scope, the later resource's first") {
  using T = ResourceT<testing::IdentityMonad>;
  const auto both = T::flatMap(held(Result(), "a"), [](const Result&) {
    return T::flatMap(held(Result(), "b"), [](const Result&) { return held(Result(), "c"); });
  });
  CHECK(errorText(T::run(both).value.errors) == "[c, b, a]");
  const auto failing = held(Result{Errors(error("body"))}, "a");
  CHECK(errorText(T::run(failing).value.errors) == "[body, a]");
}

TEST_CASE(
    "errors of releases are thrown where the value of the scope knows none, and added where it is Errors") {
  using T = ResourceT<testing::IdentityMonad>;
  CHECK(errorOf([] { T::run(held(1, "a")); }) == "a");
  CHECK(errorText(T::run(held(Errors(error("first")), "a")).value) == "[first, a]");
}

TEST_CASE("ResourceT's now and lift hold nothing") {
  using T = ResourceT<testing::IdentityMonad>;
  CHECK_FALSE(T::now(1).acquire().value.release);
  CHECK_FALSE(T::lift<int>(testing::IdentityMonad::now(1)).acquire().value.release);
  CHECK(T::run(T::now(1)).value == 1);
}

TEST_CASE("ResourceT is a monad that transformers can be put upon") {
  static_assert(Monad<ResourceT<testing::IdentityMonad>>);
  using T = ResourceT<ResourceT<testing::IdentityMonad>>;
  static_assert(Monad<T>);
  const auto computation = T::map(T::now(3), [](int x) { return x + 1; });
  CHECK(ResourceT<testing::IdentityMonad>::run(T::run(computation)).value == 4);
}

TEST_CASE("ResourceT works with values that cannot be copied") {
  using T = ResourceT<testing::IdentityMonad>;
  auto both = T::flatMap(T::now(3), [](int x) {
    return T::map(T::now(std::make_unique<int>(4)),
                  [x](std::unique_ptr<int> p) { return std::make_unique<int>(x + *p); });
  });
  CHECK(*T::run(std::move(both)).value == 7);
}

TEST_CASE("ResourceT's intransitiveFlatMap releases the source as soon as there is a result") {
  using T = ResourceT<IoMonad>;
  std::string log;
  const auto result = T::intransitiveFlatMap(fake(log, "a"), [&log](const std::string& first) {
    log += "make";
    return T::map(fake(log, "b"), [first](const std::string& second) { return first + second; });
  });
  const auto used = T::map(result, [&log](const std::string& value) {
    log += "use";
    return value;
  });
  CHECK(T::run(used).run() == "ab");
  CHECK(log == "+amake+b-ause-b");
}

TEST_CASE("ResourceT's intransitiveMap releases the source before the value is used") {
  using T = ResourceT<IoMonad>;
  std::string log;
  const auto value = T::intransitiveMap(fake(log, "a"), [&log](const std::string& name) {
    log += "make";
    return name.size();
  });
  const auto used = T::map(value, [&log](std::size_t size) {
    log += "use";
    return size;
  });
  CHECK(T::run(used).run() == 1);
  CHECK(log == "+amake-ause");
}

TEST_CASE("errors of the source's release are added to the result, or come first in its release") {
  using M = testing::IdentityMonad;
  using T = ResourceT<M>;
  const auto told = T::intransitiveFlatMap(held(1, "source"), [](int) { return held(Result(), "result"); });
  CHECK(errorText(T::run(told).value.errors) == "[source, result]");
  const auto added = T::intransitiveFlatMap(held(1, "source"), [](int x) { return held(x, "result"); });
  CHECK(added.acquire().value.value == 1);
  CHECK(errorText(added.acquire().value.release->value) == "[source, result]");
}
