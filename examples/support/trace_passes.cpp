#include <memory>
#include <ostream>
#include <tapestry/deeplearning/observe_passes.hpp>
#include <tapestry/deeplearning/pictures/chrome_pass_trace.hpp>

#include "support/trace.hpp"

namespace tapestry::examples {

std::function<void(std::ostream&)> tracePasses() {
  const auto trace = std::make_shared<ChromePassTrace>(ChromePassTrace::Options{.mostPasses = 100});
  observePasses(trace);
  return [trace](std::ostream& out) {
    observePasses(nullptr);
    out << ChromePassTrace::file(trace->events());
  };
}

}  // namespace tapestry::examples
