#include "tapestry/continuation/errors.hpp"

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>
#include <type_traits>

#include "support/delivery.hpp"

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

}  // namespace

TEST_CASE("Cancelled is no std::exception, the other reasons to stop are") {
  CHECK_FALSE(std::is_base_of_v<std::exception, Cancelled>);
  CHECK(std::is_base_of_v<std::exception, BrokenCallback>);
  CHECK(std::is_base_of_v<std::exception, ExecutorStopped>);
  CHECK(std::is_base_of_v<std::exception, MultipleException>);
}

TEST_CASE("the reasons to stop say who gave them") {
  CHECK(std::string(BrokenCallback().what()).starts_with("tapestry::async: "));
  CHECK(std::string(ExecutorStopped().what()).starts_with("tapestry::Executor: "));
  CHECK(std::string(MultipleException({}).what()).starts_with("tapestry::MultipleException: "));
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
