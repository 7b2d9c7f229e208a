#include <memory>
#include <ostream>
#include <tapestry/deeplearning/observe_passes.hpp>
#include <tapestry/deeplearning/pictures/chrome_pass_trace.hpp>

#include "support/trace.hpp"

namespace tapestry::examples {
namespace {

std::function<void(std::ostream&)> beginPasses() {
  const auto trace = std::make_shared<ChromePassTrace>(ChromePassTrace::Options{.mostPasses = 100});
  observePasses(trace);
  return [trace](std::ostream& out) {
    observePasses(nullptr);
    out << ChromePassTrace::file(trace->events());
  };
}

}  // namespace

const Tracer tracePasses{beginPasses, "the first 100 passes"};

}  // namespace tapestry::examples
