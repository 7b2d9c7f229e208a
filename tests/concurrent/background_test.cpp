#include "tapestry/concurrent/background.hpp"

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>

#include "support/callable.hpp"
#include "support/error_text.hpp"
#include "tapestry/concurrent/event.hpp"
#include "tapestry/raii.hpp"

using namespace tapestry;
using test::errorOf;

TEST_CASE("a background program runs while its scope lasts, and releases before what came earlier") {
  std::string log;
  const auto logged = [&log](const std::string& name) {
    return resource(Do<int>::delay([&log, name] { return log += "+" + name + " ", 1; }),
                    [&log, name](int) { log += "-" + name + " "; });
  };
  const Event began;
  const auto beside = logged("beside").flatMap([began](int) {
    began.set();
    return Event().wait();
  });
  const auto program = logged("first")
                           .flatMap([beside](int) { return background(beside); })
                           .flatMap([began](const Task<void>&) { return began.wait(); })
                           .map([&log] { log += "body "; });
  program.blockingAwait();
  CHECK(log == "+first +beside body -beside -first ");
}

TEST_CASE("an error of a background program that no join has delivered fails its scope") {
  const Event failed;
  const auto failing = Do<int>::delay([failed]() -> int {
    failed.set();
    throw std::runtime_error("no");
  });
  const auto program =
      background(failing, "failing").flatMap([failed](const Task<int>&) { return failed.wait(); });
  CHECK(errorOf([&] { program.blockingAwait(); }) == "no");
}

TEST_CASE("background refuses an argument that is not a Do") {
  static_assert(!TAPESTRY_CALLABLE(background, int));
  static_assert(TAPESTRY_CALLABLE(background, Do<int>, const char*));
}
