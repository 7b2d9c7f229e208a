#include "support/tapes.hpp"

#include <doctest/doctest.h>

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <tapestry/deeplearning.hpp>
#include <vector>

namespace tapestry::examples::tapes {
namespace {

/// What the library does, in the words of `tell`; its layers are y0, y1, ... as they are computed.
class Lines final : public PassObserver {
 public:
  std::vector<std::string> lines;

  void observe(Event event, std::string_view name, const void* node) noexcept override {
    if (event == Event::forward) names_.emplace(node, "y" + std::to_string(names_.size()));
    lines.push_back(wordFor(event) + (name == "weight" ? "w" : names_[node]));
  }

 private:
  static std::string wordFor(Event event) {
    if (event == Event::read || event == Event::forward) return "acquire ";
    if (event == Event::backward) return "backward ";
    return event == Event::release ? "release " : "step ";
  }

  std::map<const void*, std::string> names_;
};

/// What Do does in `y2`, and where its delta arrives.
std::vector<std::string> eventsOfDo(double& gradient) {
  events.clear();
  const Layer y0 = times("y0", literal("x", 3), weight("w", 2, [&](double delta) { gradient += delta; }));
  const Layer y1 = times("y1", y0, y0);
  times("y2", y1, y1).map([](const Tape& tape) { tape.backward(1); }).blockingAwait();
  return std::exchange(events, {});
}

}  // namespace

TEST_CASE("The tape of Do does line by line what the library does, but for what it tells of a literal") {
  double gradient = 0;
  const auto own = eventsOfDo(gradient);
  const auto library = std::make_shared<Lines>();
  const DoubleWeight w(2, sgd(1));
  const auto y0 = 3.0 * w;
  const auto y1 = y0 * y0;
  observed(train(y1 * y1), library).blockingAwait();

  CHECK(gradient == 2 - w.data());
  auto line = library->lines.begin();
  for (const std::string& event : own) {
    if (event == "backward x, a no-op") continue;
    REQUIRE(line != library->lines.end());
    CHECK(event == *line++);
  }
  CHECK(line == library->lines.end());
  CHECK(own.size() == 12);
  CHECK(std::ranges::count(own, "backward x, a no-op") == 1);
}

TEST_CASE("The backward of a literal is a no-op in the library, which does not even compute the delta") {
  bool computed = false;
  const auto delta = Do<double>::delay([&computed] {
    computed = true;
    return 1.0;
  });
  withPass(forward(3.0).flatMap([&](const auto& tape) {
    return Do<void>::lift(tape.backward(delta));
  })).blockingAwait();
  CHECK(!computed);
}

TEST_CASE("A tape of reference counts that somebody keeps sends nothing back") {
  double gradient = 0;
  Counted x{[] { return 3.0; }, [](double) {}};
  Counted w{[] { return 2.0; }, [&](double delta) { gradient = delta; }};
  Counted y = times("y", x, w);
  CHECK(y.acquire() == 6);
  CHECK(y.acquire() == 6);
  y.backward(1);
  y.release();
  CHECK(gradient == 0);
  y.release();
  CHECK(gradient == 3);
  events.clear();
}

}  // namespace tapestry::examples::tapes
