// Defines ChromeTrace, the observer that writes runs as a file for Chrome's trace viewer.
#pragma once

#include <iosfwd>
#include <memory>

#include "tapestry/continuation/run_observer.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// Writes JSON for chrome://tracing or ui.perfetto.dev: one lane for each thread, a bar for each stretch of
/// time that a named program is at work on the thread, with the place of its name, and an arrow wherever a
/// run, or a branch that begins, changes threads. A bar that ends in a wait names the operation that is
/// waited for.
///
///     std::ofstream file("trace.json");
///     ChromeTrace trace(file);
///     withObserver(trace, server.named("server")).blockingAwait(pool);
///
/// Events are written to the stream as they happen. The text is complete when this object is destroyed;
/// viewers can read it before. Thread-safe; the stream must have no other user, and must outlive this object.
/// Cost: a lock and some hundred bytes for each beginning and end of a bar.
class ChromeTrace final : public RunObserver {
 public:
  explicit ChromeTrace(std::ostream& out);
  ChromeTrace(const ChromeTrace&) = delete;
  ChromeTrace& operator=(const ChromeTrace&) = delete;
  ~ChromeTrace() override;

  void entered(const RunSpan& span, const void* run) noexcept override;
  void suspended(const RunSpan& span, const void* run, const char* operation,
                 const std::source_location& location) noexcept override;
  void resumed(const RunSpan& span, const void* run) noexcept override;
  void branchBegan(const RunSpan& span, const void* run) noexcept override;
  void branchEnded(const RunSpan& span, const void* run) noexcept override;
  void left(const RunSpan& span, const void* run) noexcept override;

 private:
  class Writer;
  std::unique_ptr<Writer> writer_;
};

}  // namespace tapestry
#pragma GCC visibility pop
