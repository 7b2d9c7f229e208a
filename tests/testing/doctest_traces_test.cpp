#include "tapestry/testing/doctest_traces.hpp"

#include <exception>
#include <source_location>
#include <stdexcept>
#include <string>

#include "support/system/child_process.hpp"
#include "tapestry/continuation/extend/trace.hpp"

using namespace tapestry;
using test::Ending;
using test::inChild;

namespace {

[[noreturn]] void throwTraced(std::source_location location = std::source_location::current()) {
  const auto error = std::make_exception_ptr(std::runtime_error("no such user"));
  extend::notePlace(error, "query", location);
  std::rethrow_exception(error);
}

}  // namespace

TEST_CASE("an error that leaves a test case is shown with its trace") {
  const int line = __LINE__ + 1;
  const Ending ending = inChild([] { throwTraced(); });
  CHECK(ending.status != 0);
  CHECK(
      ending.text.starts_with("the test case \"an error that leaves a test case is shown with its trace\" "
                              "has ended with an error: no such user\n  raised in query ("));
  CHECK(ending.text.ends_with("doctest_traces_test.cpp:" + std::to_string(line) + ")\n"));
}

TEST_CASE("an error that leaves a subcase is shown once") {
  const Ending ending = inChild([] { SUBCASE("inner") throwTraced(); });
  const auto first = ending.text.find("no such user");
  CHECK(first != std::string::npos);
  CHECK(ending.text.find("no such user", first + 1) == std::string::npos);
}

TEST_CASE("an error without a trace, and one that an assertion catches, are not shown") {
  CHECK(inChild([] { throw std::runtime_error("plain"); }).text == "");
  CHECK(test::lastWords([] { CHECK_THROWS_WITH_AS(throwTraced(), "no such user", std::runtime_error); }) ==
        "");
}
