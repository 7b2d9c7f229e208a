#include "tapestry/continuation/monad/trace.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "support/system/child_process.hpp"
#include "tapestry/continuation/extend/trace.hpp"
#include "tapestry/continuation/monad/errors.hpp"

using namespace tapestry;

namespace {

std::source_location here(std::source_location location = std::source_location::current()) {
  return location;
}

std::exception_ptr errorOf(const std::string& text) {
  return std::make_exception_ptr(std::runtime_error(text));
}

/// An exception that tells when it goes.
struct Watched : std::runtime_error {
  explicit Watched(std::shared_ptr<int> life) : std::runtime_error("watched"), alive(std::move(life)) {}
  std::shared_ptr<int> alive;
};

/// Returns a description with its places reduced to the names of files.
std::string short_(std::string text) {
  for (std::size_t slash; (slash = text.find('/')) != std::string::npos;) {
    const std::size_t begin = text.rfind('(', slash) + 1;
    text.erase(begin, text.find('/', slash) + 1 - begin);
  }
  return text;
}

}  // namespace

TEST_CASE("an error that has passed nothing has no trace") {
  CHECK(traceOf(nullptr).empty());
  CHECK(traceOf(errorOf("plain")).empty());
  CHECK(describe(errorOf("plain")) == "plain");
  CHECK(describe(nullptr) == "no error");
  extend::notePlace(nullptr, "map", here());
  const auto error = errorOf("unknown place");
  extend::At{}(error);
  CHECK(traceOf(error).empty());
}

TEST_CASE("an error that is given to a place is moved through it") {
  auto error = errorOf("given away");
  const std::exception_ptr same = error;
  const std::exception_ptr passed = extend::At{"map", here()}(std::move(error));
  CHECK(passed == same);
  CHECK(error == nullptr);
  CHECK(traceOf(passed).places.size() == 1);
}

TEST_CASE("a trace lists the places in the order in which the error has passed them") {
  const auto error = errorOf("no such user");
  const auto first = here();
  CHECK(extend::At{"delay", first}(error) == error);
  const auto second = here();
  extend::notePlace(error, "named", second, "request");
  const Trace trace = traceOf(error);
  REQUIRE(trace.places.size() == 2);
  CHECK(trace.places[0].operation == "delay");
  CHECK(trace.places[0].name.empty());
  CHECK(trace.places[0].location.line() == first.line());
  CHECK(trace.places[1].operation == "named");
  CHECK(trace.places[1].name == "request");
  CHECK(trace.omitted == 0);
  CHECK(short_(describe(error)) ==
        "no such user\n  raised in delay (trace_test.cpp:" + std::to_string(first.line()) +
            ")\n  passed \"request\" (trace_test.cpp:" + std::to_string(second.line()) + ")");
}

TEST_CASE("all pointers to an exception have its trace, also after it was thrown and caught") {
  const auto error = errorOf("thrown");
  extend::At{"map", here()}(error);
  try {
    std::rethrow_exception(error);
  } catch (...) {
    CHECK(traceOf(std::current_exception()).places.size() == 1);
    extend::At{"await", here()}(std::current_exception());
  }
  std::thread([error] { extend::At{"flatMap", here()}(error); }).join();
  CHECK(traceOf(error).places.size() == 3);
}

TEST_CASE("a trace goes with its exception, whose own destructor is called") {
  auto life = std::make_shared<int>(0);
  for (int i = 0; i < 1000; ++i) {
    auto error = std::make_exception_ptr(Watched(life));
    CHECK(traceOf(error).empty());  // also where the memory is that of one before
    extend::At{"map", here()}(error);
    CHECK(life.use_count() == 2);
    error = nullptr;
    CHECK(life.use_count() == 1);
  }
  auto number = std::make_exception_ptr(1);
  extend::At{"map", here()}(number);
  CHECK(traceOf(number).places.size() == 1);
}

TEST_CASE("a trace keeps the first sixteen places and the last") {
  const auto error = errorOf("far");
  for (int i = 0; i < 1000; ++i) extend::notePlace(error, "named", here(), std::to_string(i));
  const Trace trace = traceOf(error);
  REQUIRE(trace.places.size() == 32);
  CHECK(trace.omitted == 968);
  for (int i = 0; i < 16; ++i) CHECK(trace.places[i].name == std::to_string(i));
  for (int i = 16; i < 32; ++i) CHECK(trace.places[i].name == std::to_string(968 + i));
  CHECK(describe(error).find("\n  and 968 more\n  passed \"984\"") != std::string::npos);
}

TEST_CASE("a trace of seventeen to thirty-two places is whole") {
  for (int count = 15; count <= 33; ++count) {
    const auto error = errorOf("far");
    for (int i = 0; i < count; ++i) extend::notePlace(error, "named", here(), std::to_string(i));
    const Trace trace = traceOf(error);
    CHECK(trace.places.size() + trace.omitted == static_cast<std::size_t>(count));
    CHECK(trace.omitted == (count > 32 ? 1 : 0));
    CHECK(trace.places.back().name == std::to_string(count - 1));
  }
}

TEST_CASE("a place that is passed repeatedly is listed once") {
  const auto error = errorOf("deep");
  const auto place = here();
  for (int i = 0; i < 1'000'000; ++i) extend::At{"flatMap", place}(error);
  const Trace trace = traceOf(error);
  REQUIRE(trace.places.size() == 1);
  CHECK(trace.places[0].times == 1'000'000);
  CHECK(describe(error).ends_with(", 1000000 times"));
}

TEST_CASE("several errors are described with the trace of each") {
  const auto first = errorOf("first");
  const auto second = errorOf("second");
  extend::At{"map", here()}(first);
  const auto several = std::make_exception_ptr(MultipleException({first, second}));
  extend::At{"tupleN", here()}(several);
  const std::string text = short_(describe(several));
  CHECK(text.starts_with("tapestry::MultipleException: 2 errors: first; second\n  raised in tupleN ("));
  CHECK(text.find(")\n  error 1: first\n    raised in map (trace_test.cpp:") != std::string::npos);
  CHECK(text.ends_with(")\n  error 2: second"));
}

TEST_CASE("many threads add to the traces of their errors and of a common one") {
  const auto common = errorOf("common");
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&common, i] {
      for (int j = 0; j < 1000; ++j) {
        const auto own = errorOf("own");
        extend::notePlace(own, "named", here(), std::to_string(i));
        CHECK(traceOf(own).places.size() == 1);
        extend::notePlace(common, "named", here(), std::to_string(i));
      }
    });
  for (auto& thread : threads) thread.join();
  std::size_t times = 0;
  const Trace trace = traceOf(common);
  for (const Trace::Place& place : trace.places) times += place.times;
  CHECK(times + trace.omitted <= 4000);
}

TEST_CASE("a process that an uncaught error ends writes the error's trace") {
  const test::Ending ending = test::inChild([]() noexcept {
    const auto error = errorOf("nobody catches this");
    extend::At{"map", here()}(error);
    std::rethrow_exception(error);
  });
  CHECK(ending.terminated());
  CHECK(ending.text.find("uncaught error: nobody catches this\n  raised in map (") != std::string::npos);
}
