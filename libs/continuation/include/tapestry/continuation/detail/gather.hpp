// Defines Gather, which runs n programs as children of a run, in parallel where workers are idle.
#pragma once

#include <atomic>
#include <cstddef>
#include <optional>

#include "tapestry/continuation/detail/run.hpp"

namespace tapestry::detail {

/// Parks the parent run, runs branches 0 to count - 1, each in a run of its own, and resumes the parent when
/// all have ended. The parent's thread begins the branches in order; whenever a worker of the environment is
/// idle, it is offered the next one. A branch that suspends does not hold up the next. Nobody blocks.
///
/// It is also the stop of its children, linked to the parent's; a branch that was not begun before the stop
/// never is.
class Gather : public StopState, private Parker {
 public:
  /// As the last thing in the parent's step; the frame that takes the results must own this.
  void begin(Run& parent, std::size_t count);

 protected:
  /// The program of a branch; called once for each, possibly at the same time for different ones.
  virtual Ref<const ProgramNode> branch(std::size_t index) noexcept = 0;
  /// Takes the branch's outcome out of its run; true if the other branches shall be asked to stop.
  virtual bool collect(std::size_t index, Run& run) noexcept = 0;

 private:
  class Child;
  class Claimer;

  bool park(Run& parent) noexcept override;
  void offer() noexcept;
  void branchEnded() noexcept;

  Run* parent_ = nullptr;
  std::size_t count_ = 0;
  std::atomic<std::size_t> next_{0};
  std::atomic<std::size_t> running_{0};
  std::optional<const Environment> environment_;
};

}  // namespace tapestry::detail
