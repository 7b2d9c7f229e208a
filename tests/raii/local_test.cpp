#include "tapestry/raii/local.hpp"

#include <doctest/doctest.h>

#include <exception>
#include <stdexcept>
#include <string>
#include <utility>

#include "tapestry/raii.hpp"

using namespace tapestry;

namespace {

struct UserName {
  using Type = std::string;
  static std::string initial() { return "nobody"; }
};

Do<std::string> name() { return Do<std::string>::lift(ask<UserName>()); }

}  // namespace

TEST_CASE("a slot is set for the program and the releases of what it acquires, and not after it") {
  std::string released;
  const auto note = name().map([&](const std::string& seen) { released = seen; });
  const auto acquired = resource(name(), [&](const std::string&) { return note; });
  const auto program = local<UserName>("inner", acquired).flatMap([](const std::string& inside) {
    return name().map([inside](const std::string& outside) { return std::pair(inside, outside); });
  });
  CHECK(program.blockingAwait() == std::pair<std::string, std::string>("inner", "nobody"));
  CHECK(released == "inner");
  CHECK(local<UserName>("outer", program).blockingAwait().second == "outer");
}

TEST_CASE("a program that fails leaves its slot behind") {
  const auto failing = local<UserName>("inner", Do<std::string>::raiseError(std::runtime_error("no")));
  CHECK(failing.handleError([](const std::exception_ptr&) { return name(); }).blockingAwait() == "nobody");
}
