// Functions that are called with a value that may be void, and values whose move throws.
#include "tapestry/continuation/extend/function.hpp"

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>
#include <utility>

using namespace tapestry;

TEST_CASE("call gives a function the value, or nothing, and Unit for what returns nothing") {
  const auto length = [](const std::string& text) { return text.size(); };
  static_assert(std::is_same_v<extend::ResultOf<decltype(length), std::string>, std::size_t>);
  CHECK(extend::call<std::string>(length, "four") == 4);
  int calls = 0;
  const auto count = [&calls] { ++calls; };
  const Unit nothing = extend::call<void>(count, Unit{});
  static_cast<void>(nothing);
  CHECK(calls == 1);
}

TEST_CASE("Accepts sees const calls alone, and no pointers to members") {
  const auto changes = [n = 0](int) mutable { return ++n; };
  static_assert(!extend::Accepts<decltype(changes), int>);
  static_assert(!extend::Accepts<decltype(&std::string::size), std::string>);
  static_assert(extend::accepts<decltype([](auto&&) {}), int>);
}

namespace {

enum class Color { red, green };

/// Copies and changes a box of the value.
template <class A>
void checkBox(A value) {
  extend::ValueBox<A> box;
  CHECK(!box.has_value());
  box.emplace(value);
  extend::ValueBox<A> copy = box;
  REQUIRE(copy.has_value());
  CHECK(*copy == value);
  const extend::ValueBox<A> moved = std::move(copy);
  CHECK(*moved == value);
  box.reset();
  CHECK(!box.has_value());
  box = moved;
  CHECK(*std::as_const(box) == value);
}

}  // namespace

TEST_CASE("a ValueBox copies its value, or nothing") {
  checkBox(7L);
  checkBox(true);
  checkBox(Color::green);
  checkBox("text");
  checkBox(Unit{});
  checkBox(std::string(100, 'x'));
  extend::ValueBox<const int> constant;
  CHECK(constant.emplace(3) == 3);
}

TEST_CASE("a ValueBox moves a value whose move throws") {
  struct Thrower {
    Thrower() = default;
    Thrower(Thrower&&) { throw std::runtime_error("moved"); }
  };
  extend::ValueBox<Thrower> box;
  box.emplaceResultOf([] { return Thrower(); });
  extend::ValueBox<Thrower> other = std::move(box);
  CHECK(other.has_value());
  CHECK(!box.has_value());
}
