// Defines ChromePassTrace, the observer that records which thread computes which node, for Chrome's trace
// viewer.
#pragma once

#include <cstddef>
#include <limits>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "tapestry/deeplearning/pass_observer.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// Has a lane for each thread, and in it a bar for each forward and each backward of an operation, with the
/// shape of its result; a mark for each layer that a program has made, and for each step of a weight; a bar
/// such as "exchange bucket 2" for each exchange with passes of other ranks, in separate lanes:
///
///     const auto trace = std::make_shared<ChromePassTrace>();
///     observed(train(loss), trace).blockingAwait(pool);
///     std::ofstream("trace.json") << ChromePassTrace::file(trace->events());
///
/// chrome://tracing and ui.perfetto.dev show the file. If other threads help with an operation, its bar is in
/// the lane of the thread that has requested the help. Thread-safe. Cost: a lock and at most two
/// readings of the clock for each event of a node, of which a forward has up to four with its release, and a
/// backward two; and some 200 bytes for each bar until the end.
class ChromePassTrace final : public PassObserver {
 public:
  struct Options {
    /// The number of the process in the file, for several processes in one file.
    std::size_t process = 0;
    /// Only the passes that open first are recorded.
    std::size_t mostPasses = std::numeric_limits<std::size_t>::max();
  };

  ChromePassTrace() : ChromePassTrace(Options{}) {}
  explicit ChromePassTrace(Options options) noexcept : options_(options) {}

  void passOpened(const void* pass) noexcept override;
  void passEnded(const void* pass) noexcept override;
  /// Records exchanges.
  void observe(Event event, std::string_view name, const void* pass) noexcept override;
  void observeNode(Event event, const extend::NodeView& node) noexcept override;

  /// The events so far, each followed by a comma and a new line.
  std::string events() const;
  /// A file of the events of one or more processes.
  static std::string file(const std::string& events);

 private:
  /// The exchange `name` of a pass.
  using Exchange = std::pair<const void*, std::string>;
  struct ExchangeBegun {
    std::size_t lane = 0;
    double at = 0;  ///< in us
  };
  void note(Event event, const extend::NodeView& node);
  void noteExchange(Event event, Exchange exchange);
  std::size_t lane();

  const Options options_;
  mutable std::mutex mutex_;
  std::size_t passes_ = 0;
  std::set<const void*> left_;  ///< the open passes beyond those that are recorded
  std::map<std::thread::id, std::size_t> lanes_;
  std::map<std::pair<const void*, const void*>, double> begun_;  ///< the passes and their nodes at work
  std::map<Exchange, ExchangeBegun> exchanges_;                  ///< under way
  std::string events_;
};

}  // namespace tapestry
#pragma GCC visibility pop
