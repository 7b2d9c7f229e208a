// Compares the last output of the example growing_tape with what the library does.
#include <doctest/doctest.h>

#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <tapestry/deeplearning.hpp>
#include <vector>

using namespace tapestry;

namespace {

/// What happens in a pass, in the words of the example; its layers are y0, y1, ... as they are computed.
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

/// The sequence that the example must print: the lines that begin with two spaces and a small letter, but for
/// "one not released", which is a step.
std::vector<std::string> printedSequence() {
  std::ifstream file(TAPESTRY_EXPECTED_OUTPUTS "/growing_tape.out");
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("  ") && line.find('=') == std::string::npos) lines.push_back(line.substr(2));
  return lines;
}

}  // namespace

TEST_CASE("growing_tape prints the library's events line by line, but none for a literal, which has none") {
  const auto library = std::make_shared<Lines>();
  const DoubleWeight w(2, sgd(1));
  const auto y0 = 3.0 * w;
  const auto y1 = y0 * y0;
  observed(train(y1 * y1), library).blockingAwait();
  CHECK(w.data() == 2 - 2592);

  auto printed = printedSequence();
  CHECK(printed.size() == 12);
  CHECK(std::erase(printed, "backward x, a no-op") == 1);
  CHECK(printed == library->lines);
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
