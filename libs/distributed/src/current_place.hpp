// Defines CurrentPlace, the program that yields the clock and the executor of its run, and maskedAtPlace.
#pragma once

#include <type_traits>
#include <utility>

#include "tapestry/continuation/executor.hpp"
#include "tapestry/continuation/extend/program.hpp"
#include "tapestry/continuation/extend/timer.hpp"
#include "tapestry/raii/lift.hpp"
#include "tapestry/raii/mask.hpp"

namespace tapestry::detail {

/// A hold of an executor, which may be empty.
class HeldExecutor {
 public:
  HeldExecutor() noexcept = default;
  explicit HeldExecutor(Executor& executor) noexcept : core_(&executor.core()) { core_->hold(); }
  HeldExecutor(const HeldExecutor& other) noexcept : core_(other.core_) {
    if (core_) core_->hold();
  }
  HeldExecutor(HeldExecutor&& other) noexcept : core_(std::exchange(other.core_, nullptr)) {}
  HeldExecutor& operator=(HeldExecutor other) noexcept {
    std::swap(core_, other.core_);
    return *this;
  }
  ~HeldExecutor() {
    if (core_) core_->letGo();
  }

  /// False for an executor that executes each task inside post.
  bool takesTasks() const noexcept { return core_ && core_ != &Executor::inlined(); }
  Executor* operator->() const noexcept { return core_; }

 private:
  Executor* core_ = nullptr;
};

/// Where a run is. The executor is for work that may outlive the run.
struct RunPlace {
  Clock* clock = nullptr;
  HeldExecutor executor = {};
};

class [[nodiscard]] CurrentPlace : public extend::ProgramOperations<CurrentPlace> {
 public:
  using ValueType = RunPlace;
  void step(extend::Run& run, extend::Keeper) const {
    if (run.stopIfRequested()) return;
    run.put<RunPlace>(RunPlace{&extend::clockOf(run), HeldExecutor(run.executor().guests())});
  }
};

/// Runs the program begin(place). A request to stop has an effect before it begins, and none afterwards.
template <class F>
auto maskedAtPlace(F begin) {
  using Program = std::invoke_result_t<const F&, const RunPlace&>;
  return Do<void>::delay([] {}).flatMap([begin = std::move(begin)]() -> Program {
    return mask(tapestry::lift(CurrentPlace()).flatMap(begin));
  });
}

}  // namespace tapestry::detail
