// A function that throws where no error can go ends the process, and says which function it was.
#include <doctest/doctest.h>

#include <stdexcept>
#include <string>

#include "support/system/child_process.hpp"
#include "tapestry/continuation.hpp"
#include "tapestry/continuation/blocking.hpp"
#include "tapestry/continuation/memoize.hpp"
#include "tapestry/continuation/parallel/par_traverse.hpp"
#include "tapestry/continuation/repeat.hpp"
#include "tapestry/continuation/stop_callback.hpp"

using namespace tapestry;

namespace {

template <class P>
std::string wordsOf(const P& program) {
  return test::lastWords([&program] { program.blockingAwait(); });
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::string here(int line) { return std::string(__FILE__) + ":" + std::to_string(line); }

int boom() { throw std::runtime_error("boom"); }

/// A value of which the last copy fails.
struct Copies {
  explicit Copies(int copies) : left(copies) {}
  Copies(const Copies& other) : left(other.left > 0 ? other.left - 1 : boom()) {}
  Copies(Copies&&) noexcept = default;
  int left;
};

struct Slot {
  using Type = Copies;
  static Copies initial() { return Copies(boom()); }
};

/// A range of the numbers from 0, of which reading a part fails.
struct Numbers {
  enum Part { none, copy, begin_, end_, element, step };

  struct Iterator {
    using value_type = int;
    using difference_type = std::ptrdiff_t;
    int operator*() const { return fails == element ? boom() : at; }
    Iterator& operator++() {
      at += fails == step ? boom() : 1;
      return *this;
    }
    void operator++(int) { ++*this; }
    bool operator==(int size) const { return at == (fails == end_ ? boom() : size); }
    Part fails = none;
    int at = 0;
  };

  explicit Numbers(Part part) : fails(part) {}
  Numbers(Numbers&&) noexcept = default;
  Numbers(const Numbers& other) : fails(other.fails == copy ? Part(boom()) : other.fails) {}
  Iterator begin() const { return {fails == begin_ ? Part(boom()) : fails}; }
  int end() const { return 3; }

  Part fails;
};

}  // namespace

TEST_CASE("a function that throws ends the process after its source location") {
  const auto program = delay([] { return boom(); });
  const int line = __LINE__ - 1;
  const auto text = wordsOf(program);
  CHECK(contains(text, "tapestry::delay: "));
  CHECK(contains(text, here(line)));
  CHECK(contains(text, "boom"));
}

TEST_CASE("every operation names itself and the place where it was given the function") {
  const auto map = now(1).map([](int) { return boom(); });
  CHECK(contains(wordsOf(map), "tapestry::map: the function given at " + here(__LINE__ - 1)));
  const auto flatMap = now(1).flatMap([](int) { return now(boom()); });
  CHECK(contains(wordsOf(flatMap), "tapestry::flatMap: the function given at " + here(__LINE__ - 1)));
  const auto leaf = async<int>([](Callback<int>) { boom(); });
  CHECK(contains(wordsOf(leaf), "tapestry::async: the function given at " + here(__LINE__ - 1)));
  const auto loop = tailRecM(0, [](int) { return now(Step<int, int>::done(boom())); });
  CHECK(contains(wordsOf(loop), "tapestry::tailRecM: the function given at " + here(__LINE__ - 1)));
}

TEST_CASE("suspend and execute name themselves when their function throws") {
  const auto suspended = suspend([] { return now(boom()); });
  CHECK(contains(wordsOf(suspended), here(__LINE__ - 1)));
  const auto executed = execute(Executor::inlined(), [] { return boom(); });
  CHECK(contains(wordsOf(executed), here(__LINE__ - 1)));
}

TEST_CASE(
    "a range that throws when it is copied or read ends the process after the place where it was given") {
  for (const auto part : {Numbers::copy, Numbers::begin_, Numbers::end_, Numbers::element, Numbers::step}) {
    CAPTURE(part);
    const auto all = parTraverse(Numbers(part), 1, [](int x) { return now(x); });
    const int line = __LINE__ - 1;
    CHECK(contains(wordsOf(all), "tapestry::parTraverse: the range or function given at " + here(line)));
  }
  CHECK(wordsOf(parTraverse(Numbers(Numbers::none), 1, [](int x) { return now(x); })).empty());
}

TEST_CASE("a value that throws when it is copied ends the process after the place where it was given") {
  const auto given = now(Copies(0));
  CHECK(contains(wordsOf(given), "tapestry::now: the value given at " + here(__LINE__ - 1)));
  const auto memoized = memoize(delay([] { return Copies(0); }));
  CHECK(contains(wordsOf(memoized), "tapestry::memoize: the value given at " + here(__LINE__ - 1)));
  const auto set = local<Slot>(Copies(0), now());
  CHECK(contains(wordsOf(set), "tapestry::local: the value given at " + here(__LINE__ - 1)));
  const auto asked = ask<Slot>();
  const int line = __LINE__ - 1;
  CHECK(contains(wordsOf(asked), "tapestry::ask: the slot given at " + here(line)));
  CHECK(contains(wordsOf(local<Slot>(Copies(1), asked)), "tapestry::ask: the slot given at " + here(line)));
  CHECK(wordsOf(local<Slot>(Copies(2), asked)).empty());
}

TEST_CASE("a state and a predicate that throw when a run copies them end the process after their place") {
  const auto loop = tailRecM(Copies(0), [](const Copies&) { return now(Step<Copies, int>::done(1)); });
  CHECK(contains(wordsOf(loop), "tapestry::tailRecM: the value given at " + here(__LINE__ - 1)));
  const auto until = repeatUntil(now(1), [copies = Copies(0)](int) { return copies.left == 0; });
  CHECK(contains(wordsOf(until), "tapestry::repeatUntil: the predicate given at " + here(__LINE__ - 1)));
}

TEST_CASE("only a function that a Do may replace gets the advice to use Do") {
  const std::string advice = "(a UnitContinuation has no channel for errors, use Do)";
  CHECK(contains(wordsOf(delay([] { return boom(); })), advice));
  CHECK_FALSE(contains(wordsOf(now(Copies(0))), advice));
  const StopSource source;
  source.requestStop();
  const auto text = test::lastWords([&] { const StopCallback callback(source.token(), [] { boom(); }); });
  CHECK(contains(text, "tapestry::StopCallback: the callback given at " + here(__LINE__ - 1)));
  CHECK_FALSE(contains(text, advice));
}

TEST_CASE("a predicate that throws ends the process after the place where it was given") {
  const auto program = repeatUntil(now(1), [](int) { return boom() == 0; });
  CHECK(contains(wordsOf(program), "tapestry::repeatUntil: the predicate given at " + here(__LINE__ - 1)));
}

TEST_CASE("an exception of any type ends the process") {
  const auto program = delay([]() -> int { throw 7; });
  CHECK(contains(wordsOf(program), "unknown type"));
}

TEST_CASE("a callback of onComplete that throws ends the process and is named") {
  const auto fail = [](const auto&) { boom(); };
  const auto text = [](int line) {
    return "tapestry::onComplete: the callback given at " + here(line) +
           " threw, got boom, expected no exception";
  };
  const int line = __LINE__ + 1;
  CHECK(contains(test::lastWords([&] { now(1).onComplete(fail); }), text(line)));
  CHECK(contains(test::lastWords([&] { now(1).onComplete(fail, Executor::inlined()); }), text(line + 1)));
  const auto kept = now(1);
  CHECK(contains(test::lastWords([&] { kept.onComplete(fail); }), text(line + 3)));
}

TEST_CASE("a program that does not throw ends as usual") { CHECK(wordsOf(now(1)).empty()); }

TEST_CASE("the function of blocking, with and without a token, is named where it throws") {
  const int line = __LINE__ + 1;
  const std::string plain = wordsOf(blocking([] { return boom(); }));
  CHECK(contains(plain, "tapestry::blocking: the function given at " + here(line)));
  const std::string withToken = wordsOf(blocking([](const StopToken&) { return boom(); }));
  CHECK(contains(withToken, "tapestry::blocking: the function given at " + here(line + 2)));
}
