#include "tapestry/continuation/detail/traverse.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>

#include "tapestry/continuation/detail/ready.hpp"
#include "tapestry/continuation/par_traverse.hpp"

namespace tapestry::detail {

/// It owns itself.
class Traverse::Token final : public Node, public Task {
 public:
  Token(Ref<Traverse> traverse, Ref<const Environment> environment) noexcept
      : traverse_(std::move(traverse)), environment_(std::move(environment)) {}

  void execute() noexcept override;

  /// To an idle worker, or on this thread when what runs now is parked or has ended.
  void passOn() noexcept {
    Executor* workers = environment_->workers();
    if (workers && workers->idle()) {
      auto onWorkers = makeRef<const Environment>(environment_, *workers);
      std::swap(environment_, onWorkers);
      if (workers->offer(*this)) return;
      std::swap(environment_, onWorkers);
    }
    pushBranch(*this);
  }

 private:
  const Ref<Traverse> traverse_;
  Ref<const Environment> environment_;
};

class Traverse::Child final : public Node, private Receiver {
 public:
  Child(Ref<Traverse> traverse, void* place, Ref<const Environment> environment) noexcept
      : traverse_(std::move(traverse)), place_(place), run_(std::move(environment), *this) {}

  void start(Ref<const ProgramNode> program) noexcept {
    run_.next(program.detach(), true);
    run_.execute();
  }

 private:
  void receive(Run& run) noexcept override {
    const Ref<Traverse> traverse = std::move(traverse_);
    const bool stopOthers = traverse->collect(place_, run);
    release();
    if (stopOthers) traverse->request();
    if (traverse->free_.fetch_add(1) < 0) {
      const DriveScope scope;
      traverse->token_->passOn();
    }
    traverse->ended();
  }

  Ref<Traverse> traverse_;
  void* const place_;
  Run run_;
};

void Traverse::Token::execute() noexcept {
  const Ref<Traverse> traverse = traverse_;
  Branch branch{nullptr, nullptr};
  if (!traverse->requested()) branch = traverse->pull();
  if (!branch.program) {
    release();
    return traverse->ended();
  }
  const Ref<const Environment> environment = environment_;
  traverse->running_.fetch_add(1);
  // where there is no place, a child that ends passes the token on
  if (traverse->free_.fetch_sub(1) > 0) passOn();
  (new Child(traverse, branch.place, environment))->start(std::move(branch.program));
}

void Traverse::begin(Run& parent, std::int64_t limit) {
  parent_ = &parent;
  free_.store(limit - 1);  // one for the branch that the token runs itself
  token_ = new Token(Ref<Traverse>::share(this),
                     makeRef<const Environment>(parent.environment(), Ref<StopState>::share(this)));
  linkTo(parent.environment()->stopRef());
  parent.park(*this, {"its parallel branches"});
}

bool Traverse::park(Run&) noexcept {
  pushBranch(*token_);
  return false;
}

void Traverse::ended() noexcept {
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
