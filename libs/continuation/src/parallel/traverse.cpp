#include "tapestry/continuation/parallel/detail/traverse.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>

#include "tapestry/continuation/detail/engine/ready.hpp"
#include "tapestry/continuation/detail/engine/tracked.hpp"
#include "tapestry/continuation/parallel/detail/gather_traverse.hpp"

namespace tapestry::detail {

/// It owns itself.
class Traverse::Token final : public Node, public Task {
 public:
  Token(Ref<Traverse> traverse, Executor& home) noexcept
      : traverse_(std::move(traverse)), home_(home), executor_(&home) {}

  void execute() noexcept override;

  /// To an idle worker or, if it waits, home; else on this thread when what runs now is parked or has ended,
  /// if it is one of those on which branches may begin, else home.
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

  /// No other branch is pulled. The parent's executor is that which refused: it tells the parent.
  void refuse() noexcept override {
    traverse_->request();
    drive(*this);
  }

 private:
  bool offerTo(Executor& executor) noexcept {
    // what has chosen the workers stays with them
    executor_ = &home_ == &executor.lasting() ? &home_ : &executor;
    return executor.idle() && executor.offer(*this);
  }

  const Ref<Traverse> traverse_;
  Executor& home_;
  Executor* executor_;  ///< where the next branch begins
};

class Traverse::Child final : public Run {
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
    const bool stopOthers = traverse->collect(place_, *this);
    delete this;
    if (stopOthers) traverse->request();
    if (traverse->free_.fetch_add(1) < 0) {
      const DriveScope scope;
      traverse->token_->passOn();
    }
    traverse->branchEnded();
  }

  Traverse& traverse_;
  void* const place_;
};

void Traverse::Token::execute() noexcept {
  // each branch is a run of its own, so that the turn is the token's
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
  traverse->running_.fetch_add(1);
  // where there is no place, a child that ends passes the token on
  if (traverse->free_.fetch_sub(1) > 0) passOn();
  (new Child(*traverse, branch.place, executor))->start(std::move(branch.program));
}

void Traverse::begin(Run& parent, std::int64_t limit, const std::source_location& location) {
  parent_ = &parent;
  location_ = location;
  free_.store(limit - 1);  // one for the branch that the token runs itself
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
  if (running_.fetch_sub(1) != 1) return;
  unlink();
  parent_->resume();
}

std::int64_t checkedLimit(const char* operation, std::size_t limit) {
  if (limit == 0)
    throw std::invalid_argument("tapestry::" + std::string(operation) +
                                ": got a limit of 0, expected at least 1");
  return static_cast<std::int64_t>(std::min<std::size_t>(limit, std::numeric_limits<std::int64_t>::max()));
}

}  // namespace tapestry::detail
