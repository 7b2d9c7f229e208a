// Defines Ranks, the processes on which --distributed trains, and Steps, the steps of one of them.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <tapestry/deeplearning.hpp>
#include <tapestry/deeplearning/pictures/chrome_pass_trace.hpp>
#include <tapestry/raii.hpp>

#include "support/share.hpp"
#include "support/terminal.hpp"

namespace tapestry::examples {

/// Steps that a process takes alone, or together with the others.
class Steps {
 public:
  /// Alone.
  Steps() = default;
  /// reductionOf(items) combines the gradients of this process, of `items` items, with those of the others;
  /// `join` takes part in a step without items.
  Steps(std::function<Reduction(std::size_t)> reductionOf, Do<void> join)
      : reductionOf_(std::move(reductionOf)), join_(std::move(join)) {}

  /// As train(loss, observed...), of a loss that is a mean of `items` items.
  template <class L, class... Observed>
  auto train(std::size_t items, const L& loss, const Observed&... observed) const {
    return reductionOf_ ? tapestry::train(loss, reductionOf_(items), observed...)
                        : tapestry::train(loss, observed...);
  }
  /// A step for which this process has no items.
  [[nodiscard]] Do<void> join() const { return join_; }

 private:
  std::function<Reduction(std::size_t)> reductionOf_;
  Do<void> join_ = Do<void>::now();
};

/// The process that is alone, or all processes of MPI. All but the first write nothing.
class Ranks {
 public:
  /// Throws InputError for --distributed where libs/distributed is not built. `traceFile` gets the passes of
  /// all processes, at the end.
  explicit Ranks(bool distributed, std::optional<std::filesystem::path> traceFile = std::nullopt);
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;
  ~Ranks();

  [[nodiscard]] Share share() const;
  /// For progress.
  [[nodiscard]] Terminal terminal() const;

  /// Makes the weights of all processes equal, and yields the steps, for the scope. At most `passes` run at
  /// the same time.
  [[nodiscard]] Do<Steps> steps(const Weights& weights, std::size_t passes = 1) const;

  /// The program, whose passes are traced.
  template <class A>
  [[nodiscard]] Do<A> traced(const Do<A>& program) const {
    return trace_ ? observed(program, trace_) : program;
  }
  /// Writes the trace of all processes, if one was asked for. All processes call it, and block in it.
  void writeTrace() const;

 private:
  struct World;
  const std::unique_ptr<World> world_;
  const std::optional<std::filesystem::path> traceFile_;
  const std::shared_ptr<ChromePassTrace> trace_;
};

}  // namespace tapestry::examples
