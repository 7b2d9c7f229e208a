#include <memory>
#include <sstream>
#include <tapestry/continuation/chrome_trace.hpp>
#include <tapestry/continuation/observe_runs.hpp>
#include <tapestry/continuation/track_runs.hpp>

#include "support/trace.hpp"

namespace tapestry::examples {
namespace {

std::function<void(std::ostream&)> beginRuns() {
  const auto text = std::make_shared<std::ostringstream>();
  auto trace = std::make_shared<ChromeTrace>(*text);
  observeRuns(trace.get());
  trackRuns(true);
  return [text, trace = std::move(trace)](std::ostream& out) mutable {
    trackRuns(false);
    observeRuns(nullptr);
    trace = nullptr;  // ends the text
    out << text->str();
  };
}

}  // namespace

const Tracer traceRuns{beginRuns, "the runs of programs"};

}  // namespace tapestry::examples
