#include "tapestry/continuation/parallel/detail/traverse.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>

#include "tapestry/continuation/detail/engine/ready.hpp"
#include "tapestry/continuation/parallel/detail/gather_traverse.hpp"

namespace tapestry::detail {

/// Owns itself.
class Traverse::Token final : public Node, public BranchTicket {
 public:
  Token(Ref<Traverse> traverse, Executor& home) noexcept
      : traverse_(std::move(traverse)), home_(home), executor_(&home) {}

  void execute() noexcept override;

  /// Passes the token to an idle worker or, if it is idle, to the home executor. Else begins the next branch
  /// on this thread when the current run is parked or has ended, if branches may begin on this thread, else
  /// on the home executor.
  void passOn() noexcept {
    Executor* const workers = traverse_->environment_->workers();
    if (workers) {
      if (offerTo(*workers)) return;
      if (workers->isHere()) {
        if (offerTo(home_)) return;
        executor_ = home_.isHere() ? &home_ : workers;
        return pushBranch(*this);
      }
    }
    executor_ = &home_;
    if (home_.isHere()) return pushBranch(*this);
    if (!home_.post(*this)) refuse();
  }

  /// No other branch is pulled. The refusing executor is the parent's, which will also refuse the parent.
  void refuse() noexcept override {
    traverse_->request();
    drive(*this);
  }

  bool leaveTo(Executor& workers) noexcept override {
    return traverse_->environment_->workers() == &workers && offerTo(workers);
  }

 private:
  bool offerTo(Executor& executor) noexcept {
    // a run that has chosen the workers' executor stays there
    Executor* const chosen = &home_ == &executor.lasting() ? &home_ : &executor;
    Executor* const before = std::exchange(executor_, chosen);
    if (executor.idle() && executor.offer(*this)) return true;
    executor_ = before;
    return false;
  }

  const Ref<Traverse> traverse_;
  Executor& home_;
  Executor* executor_;  ///< on which the next branch begins
};

class Traverse::Child final : public Run {
  friend Traverse;

 public:
  Child(Traverse& traverse, void* place, Executor& executor) noexcept
      : Run(*traverse.environment_, executor), traverse_(traverse), place_(place) {}

  void start(Ref<const ProgramNode> program) noexcept {
    if (environment()->hasSlots()) observeBranch(*this);
    enterTrackedBranch(*this, 0, traverse_.location_);
    next(std::move(program));
    execute();
  }

 private:
  void ended() noexcept override {
    const auto traverse = Ref<Traverse>::share(&traverse_);
    const std::uintptr_t branch = reinterpret_cast<std::uintptr_t>(place_) + 1;
    const bool stopOthers = traverse->collect(place_, *this);
    delete this;
    if (stopOthers) {
      traverse->passOn(branch, *traverse->parent_);
      traverse->request();
    }
    if (traverse->branches_.leavePlace()) {
      const DriveScope scope;
      traverse->token_->passOn();
    }
    traverse->branchEnded();
  }

  Traverse& traverse_;
  void* const place_;
};

void Traverse::Token::execute() noexcept {
  // each branch is a separate run, so the turn belongs to the token
  if (!Run::countStep() && turnEnds(*executor_)) {
    if (executor_->post(*this)) return;
    traverse_->request();  // the executor takes no more branches
  }
  const Ref<Traverse> traverse = traverse_;
  Branch branch{nullptr, nullptr};
  if (!traverse->requested()) branch = traverse->pull();
  if (!branch.program) {
    release();
    return traverse->branchEnded();
  }
  Executor& executor = *executor_;
  if (traverse->branches_.beginOne()) passOn();
  (new Child(*traverse, branch.place, executor))->start(std::move(branch.program));
}

void Traverse::begin(Run& parent, std::int64_t limit, const std::source_location& location) {
  parent_ = &parent;
  location_ = location;
  branches_.begin(limit);
  token_ = new Token(Ref<Traverse>::share(this), parent.executor());
  environment_.emplace(parent.environment(), *this);
  linkTo(parent.environment()->stop());
  parent.park(*this, {"its parallel branches", location});
}

bool Traverse::park(Run&) noexcept {
  pushBranch(*token_);
  return false;
}

void Traverse::branchEnded() noexcept {
  if (!branches_.end()) return;
  passOn(0, *parent_);
  unlink();
  parent_->resume();
}

std::uintptr_t Traverse::branchOf(const Run& run) const noexcept {
  const auto* const child = dynamic_cast<const Child*>(&run);
  return child ? reinterpret_cast<std::uintptr_t>(child->place_) + 1 : 0;
}

std::int64_t checkedLimit(const char* operation, std::size_t limit) {
  if (limit == 0)
    throw std::invalid_argument("tapestry::" + std::string(operation) +
                                ": got a limit of 0, expected at least 1");
  return static_cast<std::int64_t>(std::min<std::size_t>(limit, std::numeric_limits<std::int64_t>::max()));
}

}  // namespace tapestry::detail
