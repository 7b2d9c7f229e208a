#include "tapestry/raii/run_observer.hpp"

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "tapestry/raii.hpp"
#include "tapestry/raii/direct/direct.hpp"

using namespace tapestry;

namespace {

struct Names final : RunObserver {
  void entered(const RunSpan& span, const void*) noexcept override { lines.push_back("in " + span.name()); }
  void left(const RunSpan& span, const void*) noexcept override { lines.push_back("out " + span.name()); }
  std::vector<std::string> lines;
};

using Lines = std::vector<std::string>;

}  // namespace

TEST_CASE("an observer is notified of named Dos and of their releases") {
  Names names;
  const auto opened = resource(Do<int>::now(1), [](int) { return Do<void>::now().named("close"); });
  CHECK(withObserver(names, opened.named("connection")).blockingAwait() == 1);
  CHECK(names.lines ==
        Lines{"in connection", "out connection", "in connection", "in close", "out close", "out connection"});
}

TEST_CASE("an observer is notified of Dos that fail and of Dos that a fiber awaits") {
  Names names;
  const auto failing = Do<int>::raiseError("fails").named("failing");
  const auto block = direct<Do>([=] { return await(failing); }).named("block");
  CHECK(withObserver(names, block).attempt().blockingAwait().error() != nullptr);
  CHECK(names.lines == Lines{"in block", "in failing", "out failing", "out block"});
}
