#include "tapestry/continuation/parallel/detail/gather.hpp"

#include "tapestry/continuation/detail/engine/ready.hpp"

namespace tapestry::detail {

class Gather::Child final : public Run {
  friend Gather;

 public:
  Child(Gather& gather, std::size_t index, Executor& executor) noexcept
      : Run(*gather.environment_, executor), gather_(gather), index_(index) {}

  void start() noexcept {
    if (environment()->hasSlots()) observeBranch(*this);
    enterTrackedBranch(*this, index_ + 1, gather_.location_);
    gather_.start(index_, *this);
    execute();
  }

 private:
  void ended() noexcept override {
    const auto gather = Ref<Gather>::share(&gather_);
    const std::size_t index = index_;
    const bool stopOthers = gather->collect(index, *this);
    delete this;
    if (stopOthers) gather->requestOthers(index);
    if (gather->end(1)) gather->parent_->resume();
  }

  Gather& gather_;
  const std::size_t index_;
};

/// Begins branches on the executing thread, one after the other, until none is left. Owns itself.
class Gather::Ticket final : public BranchTicket, public Pooled {
 public:
  Ticket(Gather& gather, Executor& executor) noexcept
      : gather_(Ref<Gather>::share(&gather)), executor_(executor) {}

  void execute() noexcept override {
    const Ref<Gather> gather = gather_;
    Executor& executor = executor_;
    const std::size_t index = gather->branches_.claim();
    if (index + 1 < gather->branches_.count()) {
      pushBranch(*this);
      gather->offer();
    } else {
      delete this;
    }
    if (index >= gather->branches_.count()) return;
    if (!gather->requested())
      (new Child(*gather, index, executor))->start();
    else if (gather->end(1))
      gather->parent_->resume();
  }

  bool leaveTo(Executor& workers) noexcept override {
    if (gather_->branches_.allClaimed()) {
      delete this;
      return true;
    }
    if (gather_->environment_->workers() == &workers) gather_->offer();
    return false;
  }

 private:
  const Ref<Gather> gather_;
  Executor& executor_;
};

void Gather::begin(Run& parent, std::size_t count, const std::source_location& location) {
  if (count == 0) return;
  parent_ = &parent;
  home_ = &parent.executor();
  location_ = location;
  branches_.begin(count);
  outerEnvironment_ = parent.environment();
  outer_ = parent.enterBranches(this, environment_.emplace(outerEnvironment_, *this));
  follow(outerEnvironment_->stop());
  beginNext(parent);
}

void Gather::beginNext(Run& parent) {
  while ((current_ = claim()) < branches_.count()) {
    turns_ = 0;
    if (requested()) {
      ++endedInParent_;
      continue;
    }
    if (current_ + 1 < branches_.count()) shared_ |= offer();
    parent.push<&Gather::branchEnded, &Gather::branchEnded>(this);
    enterTrackedBranch(parent, current_ + 1, location_);
    return start(current_, parent);
  }
  leave(parent);
}

void Gather::branchEnded(Run& parent) {
  const bool stopOthers = collect(current_, parent);
  ++endedInParent_;
  parent.moveTo(*home_);
  if (stopOthers) requestOthers(current_);
  const bool isLast = !shared_ && current_ + 1 == branches_.count();
  if (isLast || (hasTicket_ && !home_->isHere()))
    leave(parent);
  else
    beginNext(parent);
}

/// The other branches are left to the tickets.
void Gather::leave(Run& parent) noexcept {
  parent.enterBranches(outer_, *outerEnvironment_);
  keptHome_ = nullptr;
  const bool areEnded = !shared_ || branches_.othersEnded(endedInParent_);
  if (areEnded && home_->isHere()) return allEnded();
  parent.park(*this, {"its parallel branches", location_});
}

bool Gather::park(Run& parent) noexcept {
  if (end(endedInParent_)) parent.resume();
  return false;
}

void Gather::share() noexcept {
  // the innermost comes first
  Task** link = &threadState.ready.branches;
  for (Gather* gather = this; gather && !gather->hasTicket_; gather = gather->outer_) {
    gather->link();
    gather->shared_ = gather->hasTicket_ = true;
    if (gather->branches_.allClaimed()) continue;
    auto* const ticket = new Ticket(*gather, *gather->home_);
    ticket->nextTask = *link;
    *link = ticket;
    link = &ticket->nextTask;
  }
}

void Gather::turnEnded() noexcept {
  constexpr std::uint32_t many = 16;
  Gather* lasting = this;  // the innermost
  while (lasting && !lasting->hasTicket_ && ++lasting->turns_ < many) lasting = lasting->outer_;
  if (!lasting || lasting->hasTicket_) return;
  // A gather that follows goes on asking the state that was the nearest linked one when the gather began: it
  // would miss requests to a gather that is linked in between.
  for (Gather* gather = this; gather != lasting; gather = gather->outer_) gather->link();
  lasting->share();
}

/// Called by the parent.
std::size_t Gather::claim() noexcept { return shared_ ? branches_.claim() : branches_.claimAlone(); }

/// Offers a ticket to an idle worker.
bool Gather::offer() noexcept {
  Executor* const workers = environment_->workers();
  if (!workers || !workers->idle()) return false;
  link();
  // a run that has chosen the workers' executor stays there
  auto* const ticket = new Ticket(*this, home_ == &workers->lasting() ? *home_ : *workers);
  const bool taken = workers->offer(*ticket);
  if (!taken) delete ticket;
  return taken;
}

/// Returns true for the last branches to end: the parent is then to be resumed.
bool Gather::end(std::size_t branches) noexcept {
  if (!branches_.end(branches)) return false;
  allEnded();
  return true;
}

void Gather::allEnded() noexcept {
  passOn(0, *parent_);
  unlink();
}

std::uintptr_t Gather::branchOf(const Run& run) const noexcept {
  if (&run == parent_) return current_ + 1;
  const auto* const child = dynamic_cast<const Child*>(&run);
  return child ? child->index_ + 1 : 0;
}

void Gather::requestOthers(std::size_t index) noexcept {
  passOn(index + 1, *parent_);
  request();
}

}  // namespace tapestry::detail
