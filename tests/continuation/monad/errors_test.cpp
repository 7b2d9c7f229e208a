#include "tapestry/continuation/monad/errors.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "support/programs/delivery.hpp"

using namespace tapestry;
using test::isError;

namespace {

std::exception_ptr error(const char* what) { return std::make_exception_ptr(std::runtime_error(what)); }

std::string whatOf(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const std::exception& e) {
    return e.what();
  }
}

/// What an exception of `count` errors, "1", "2" and so on, says.
std::string textOf(int count) {
  std::vector<std::exception_ptr> errors;
  for (int i = 1; i <= count; ++i) errors.push_back(error(std::to_string(i).c_str()));
  return MultipleException(std::move(errors)).what();
}

/// Counts how often its text is read.
struct Read final : std::exception {
  explicit Read(std::atomic<int>& reads) : count(reads) {}
  const char* what() const noexcept override { return ++count, "read"; }
  std::atomic<int>& count;
};

}  // namespace

TEST_CASE("Cancelled is no std::exception, the other reasons to stop are") {
  CHECK_FALSE(std::is_base_of_v<std::exception, Cancelled>);
  CHECK(std::is_base_of_v<std::exception, BrokenCallback>);
  CHECK(std::is_base_of_v<std::exception, ExecutorStopped>);
  CHECK(std::is_base_of_v<std::exception, MultipleException>);
}

TEST_CASE("the reasons to stop say where they come from") {
  CHECK(std::string(BrokenCallback().what()).starts_with("tapestry::async: "));
  CHECK(std::string(ExecutorStopped().what()).starts_with("tapestry::Executor: "));
  CHECK(textOf(1).starts_with("tapestry::MultipleException: "));
}

TEST_CASE("no errors make no exception") {
  CHECK(Errors().empty());
  CHECK(Errors().toException() == nullptr);
}

TEST_CASE("a single error is delivered as itself") {
  const auto boom = error("boom");
  const Errors errors(boom);
  CHECK_FALSE(errors.empty());
  CHECK(errors.toException() == boom);
}

TEST_CASE("several errors are delivered as one exception that keeps them in order") {
  Errors errors(error("a"));
  errors.append(error("b"));
  Errors more(error("c"));
  more.append(error("d"));
  errors.append(more);
  try {
    std::rethrow_exception(errors.toException());
  } catch (const MultipleException& several) {
    REQUIRE(several.errors().size() == 4);
    CHECK(whatOf(several.errors()[0]) == "a");
    CHECK(whatOf(several.errors()[1]) == "b");
    CHECK(whatOf(several.errors()[2]) == "c");
    CHECK(whatOf(several.errors()[3]) == "d");
  }
}

TEST_CASE("several errors inside of several errors become one flat list") {
  Errors inner(error("a"));
  inner.append(error("b"));
  Errors outer(inner.toException());
  outer.append(error("c"));
  try {
    std::rethrow_exception(outer.toException());
  } catch (const MultipleException& several) {
    REQUIRE(several.errors().size() == 3);
    CHECK(whatOf(several.errors()[1]) == "b");
    CHECK(isError<std::runtime_error>(several.errors()[2]));
  }
}

TEST_CASE("several errors say how many they are and what each of the first eight says") {
  CHECK(textOf(1) == "tapestry::MultipleException: 1 error: 1");
  CHECK(textOf(3) == "tapestry::MultipleException: 3 errors: 1; 2; 3");
  CHECK(textOf(8) == "tapestry::MultipleException: 8 errors: 1; 2; 3; 4; 5; 6; 7; 8");
  CHECK(textOf(9) == "tapestry::MultipleException: 9 errors: 1; 2; 3; 4; 5; 6; 7; 8; and 1 more");
  CHECK(textOf(1000) == "tapestry::MultipleException: 1000 errors: 1; 2; 3; 4; 5; 6; 7; 8; and 992 more");
  Errors errors(error("first text"));
  errors.append(error("second text"));
  CHECK(whatOf(errors.toException()) == "tapestry::MultipleException: 2 errors: first text; second text");
}

TEST_CASE("errors without a text are distinguished from errors with a text") {
  CHECK(std::string(MultipleException({std::make_exception_ptr(1), error("boom")}).what()) ==
        "tapestry::MultipleException: 2 errors: an exception that is no std::exception; boom");
  const auto inner = std::make_exception_ptr(MultipleException({error("a"), error("b")}));
  CHECK(std::string(MultipleException({inner, error("c")}).what()) ==
        "tapestry::MultipleException: 2 errors: tapestry::MultipleException: 2 errors: a; b; c");
}

TEST_CASE("copies of several errors share them and cannot fail") {
  static_assert(std::is_nothrow_copy_constructible_v<MultipleException>);
  static_assert(std::is_nothrow_copy_assignable_v<MultipleException>);
  MultipleException several({error("a"), error("b")});
  const MultipleException copy = several;
  const MultipleException moved = std::move(several);
  CHECK(&copy.errors() == &moved.errors());
  CHECK(copy.what() == moved.what());
  CHECK(several.errors().size() == 2);  // moving copies
  several = MultipleException({error("c")});
  CHECK(std::string(several.what()) == "tapestry::MultipleException: 1 error: c");
  CHECK(copy.errors().size() == 2);
}

TEST_CASE("the text of several errors is made when it is requested, on any threads, and stays") {
  std::atomic<int> reads{0};
  const auto read = std::make_exception_ptr(Read(reads));
  const MultipleException several({read, read});
  const MultipleException copy = several;
  CHECK(reads == 0);
  const std::string expected = "tapestry::MultipleException: 2 errors: read; read";
  std::vector<std::thread> threads;
  std::vector<const char*> texts(4);
  for (auto& text : texts) threads.emplace_back([&] { text = copy.what(); });
  CHECK(several.what() == expected);
  for (auto& thread : threads) thread.join();
  for (const char* text : texts) CHECK(text == several.what());
  const int readOnce = reads;
  CHECK(readOnce >= 2);
  CHECK(copy.what() == expected);
  CHECK(reads == readOnce);
}

TEST_CASE("a MultipleException of no errors, or of a null pointer, is refused") {
  CHECK_THROWS_WITH_AS(MultipleException(std::vector<std::exception_ptr>()),
                       "tapestry::MultipleException: got no errors, expected at least one",
                       std::invalid_argument);
  CHECK_THROWS_WITH_AS(MultipleException(std::vector{error("a"), std::exception_ptr()}),
                       "tapestry::MultipleException: got a null exception_ptr, expected errors",
                       std::invalid_argument);
}

TEST_CASE("a null pointer that is added to errors is an error") {
  const Errors errors((std::exception_ptr()));
  CHECK_FALSE(errors.empty());
  CHECK(isError<std::invalid_argument>(errors.toException()));
}

TEST_CASE("errors keep their order however they are added, and a million of them are added one by one") {
  constexpr int count = 1'000'000;
  const auto some = error("some");
  Errors left;
  Errors right;
  for (int i = 0; i < count; ++i) {
    left.append(left.empty() ? error("first") : some);
    Errors longer(i + 1 == count ? error("first") : some);
    longer.append(right);
    right = std::move(longer);
    if (i % 1000 == 0) {
      const Errors kept = left;
      left = Errors(kept.toException());
    }
  }
  for (const auto& errors : {left, right}) {
    try {
      std::rethrow_exception(errors.toException());
    } catch (const MultipleException& several) {
      CHECK(several.errors().size() == count);
      CHECK(whatOf(several.errors().front()) == "first");
      CHECK(whatOf(several.errors().back()) == "some");
    }
  }
}
