// Defines profile, which measures the time and the memory of each operation of a program's passes.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "tapestry/deeplearning/observed.hpp"
#include "tapestry/deeplearning/pass_observer.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// The nodes of one operation, in all passes of the program.
struct OperationProfile {
  std::string operation;
  std::size_t forwards = 0;
  double forwardSeconds = 0;
  std::size_t backwards = 0;
  double backwardSeconds = 0;
  std::size_t bytes = 0;              ///< of all results, if their sizes are known
  std::uint64_t multiplications = 0;  ///< of the forward of products and convolutions
};

/// What the passes of a program have taken.
struct Profile {
  /// The operation that takes the most time comes first.
  std::vector<OperationProfile> operations;
  double seconds = 0;         ///< from the beginning to the end of the program
  std::size_t mostBytes = 0;  ///< the most bytes of results that existed at once in the passes

  /// A line for each operation and one for the sums. Times on several threads add up.
  std::string table() const;
};

/// The value of a program, and what it has taken.
template <class A>
struct Profiled {
  A value;
  Profile profile;
};

namespace detail {

class Profiler final : public PassObserver {
 public:
  void observeNode(Event event, const extend::NodeView& node) noexcept override;
  void passEnded(const void* pass) noexcept override;
  Profile profile() const;

 private:
  using Clock = std::chrono::steady_clock;
  void note(Event event, const extend::NodeView& node);
  /// Adds a forward or a backward that has ended.
  void addWork(Event event, const extend::NodeView& node, double seconds);

  const Clock::time_point begin_ = Clock::now();
  mutable std::mutex mutex_;
  /// A pass and a node of it, since several passes may use a node at once.
  using NodeInPass = std::pair<const void*, const void*>;

  std::map<NodeInPass, Clock::time_point> begun_;  ///< the nodes at work, each on one thread
  std::map<NodeInPass, std::size_t> sizes_;        ///< of the results that exist, in bytes
  std::map<std::string, OperationProfile, std::less<>> operations_;
  std::size_t bytes_ = 0;
  std::size_t mostBytes_ = 0;
};

}  // namespace detail

/// Yields the program's value with a profile of all its passes:
///
///     const auto [loss, measured] = profile(train(mean(losses))).blockingAwait();
///     std::cout << measured.table();
///
/// The time of an operation is that of computing its data, and that of computing and adding its operands'
/// deltas, on its thread; work that other threads help with counts while it lasts. Opening the pass, waiting
/// and steps of weights, which compute products that are gradients, are in `seconds` alone. Cost: at most two
/// locks and two readings of the clock for each event of a node; a forward has up to four events with its
/// release, and a backward has two.
template <class A>
  requires(!std::is_void_v<A>)
[[nodiscard]] auto profile(const Do<A>& program) {
  return Do<Profiled<A>>::suspend([program] {
    const auto profiler = std::make_shared<detail::Profiler>();
    return observed(program, profiler).map([profiler](const A& value) {
      return Profiled<A>{value, profiler->profile()};
    });
  });
}

void profile(...) = delete;  // expected a Do of a value, such as train(loss)

}  // namespace tapestry
#pragma GCC visibility pop
