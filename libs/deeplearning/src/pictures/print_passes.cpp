#include <memory>
#include <string>

#include "path.hpp"
#include "tapestry/continuation/observe_runs.hpp"
#include "tapestry/deeplearning/pass_observer.hpp"

namespace tapestry::detail {

namespace {

const char* wordOf(PassObserver::Event event) noexcept {
  switch (event) {
    case PassObserver::Event::read:
      return "reads ";
    case PassObserver::Event::forward:
      return "computes ";
    case PassObserver::Event::backward:
      return "derives ";
    case PassObserver::Event::step:
      return "steps ";
    default:
      return nullptr;
  }
}

class PassPrinter final : public PassObserver {
 public:
  void observeNode(Event event, const extend::NodeView& node) noexcept override {
    const char* const word = wordOf(event);
    if (word) print([&] { return word + stepOf(node) + resultOf(node); });
  }
  void passOpened(const void*) noexcept override { extend::printStep("pass opens"); }
  void passEnded(const void*) noexcept override { extend::printStep("pass ends"); }

 private:
  template <class F>
  static void print(const F& text) noexcept {
    try {
      extend::printStep(text());
    } catch (...) {  // NOLINT: no memory for the line, which is left out
    }
  }
  static std::string resultOf(const extend::NodeView& node) {
    const auto shape = node.details().shape;
    return shape ? " to " + toString(*shape) : std::string();
  }
};

}  // namespace

std::shared_ptr<PassObserver> observerForEnvironment() {
  return extend::printsSteps() ? std::make_shared<PassPrinter>() : nullptr;
}

}  // namespace tapestry::detail
