#include "print_runs.hpp"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "tapestry/continuation/detail/engine/named_scope.hpp"

namespace tapestry {

namespace {

/// The number of this thread, in the order in which threads print.
std::size_t threadNumber() noexcept {
  static std::atomic<std::size_t> count{0};
  thread_local const std::size_t number = ++count;
  return number;
}

}  // namespace

bool extend::printsSteps() noexcept {
  static const bool prints = [] {
    const char* const value = std::getenv("TAPESTRY_TRACE");
    return value && std::string_view(value) == "1";
  }();
  return prints;
}

void extend::printStep(const std::string& step) noexcept {
  std::fprintf(stderr, "tapestry: thread %zu: %s\n", threadNumber(), step.c_str());
}

}  // namespace tapestry

namespace tapestry::detail {

namespace {

std::string placeOf(const std::source_location& location) {
  if (location.line() == 0) return {};
  const std::string_view path = location.file_name();
  return " (" + std::string(path.substr(path.rfind('/') + 1)) + ':' + std::to_string(location.line()) + ')';
}

std::string titleOf(const RunSpan& span) {
  std::string title;
  for (auto outer = span.outer(); outer; outer = outer->outer()) title += "  ";
  return title + (span.isNamed() ? '"' + span.name() + '"' : span.name()) + placeOf(span.location());
}

class RunPrinter final : public RunObserver {
 public:
  void entered(const RunSpan& span, const void*) noexcept override { tell(span, "begins"); }
  void suspended(const RunSpan& span, const void*, const char* operation,
                 const std::source_location& location) noexcept override {
    tell(span, std::string("waits for ") + operation + placeOf(location));
  }
  void resumed(const RunSpan& span, const void*) noexcept override { tell(span, "continues"); }
  void branchBegan(const RunSpan& span, const void*) noexcept override { tell(span, "begins a branch"); }
  void branchEnded(const RunSpan& span, const void*) noexcept override { tell(span, "ends a branch"); }
  void left(const RunSpan& span, const void*) noexcept override { tell(span, "ends"); }

 private:
  static void tell(const RunSpan& span, const std::string& what) noexcept {
    try {
      extend::printStep(titleOf(span) + ' ' + what);
    } catch (...) {  // NOLINT: no memory for the line, which is left out
    }
  }
};

}  // namespace

RunObserver* printerForEnvironment() noexcept {
  // never destroyed, since runs may outlive static objects
  return extend::printsSteps() ? new RunPrinter : nullptr;
}

}  // namespace tapestry::detail
