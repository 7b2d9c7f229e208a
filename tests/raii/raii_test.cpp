#include "tapestry/raii.hpp"

#include <doctest/doctest.h>

#include <string>

TEST_CASE("one header gives all of the raii library") {
  using namespace tapestry;
  std::string log;
  const auto file = resource(Do<std::string>::delay([&log] {
                               log += "open ";
                               return std::string("text");
                             }),
                             [&log](const std::string&) { log += "close"; });
  const auto program = tuple2(parallel(file.map([](const std::string& text) { return text.size(); })),
                              parallel(scoped([] { return 1; })))
                           .map([&log](const auto& both) {
                             log += "use ";
                             return static_cast<int>(std::get<0>(both)) + *std::get<1>(both);
                           });
  CHECK(program.blockingAwait() == 5);
  CHECK(log == "open use close");
}
