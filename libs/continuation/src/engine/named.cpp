#include "tapestry/continuation/detail/engine/named_scope.hpp"

#include <algorithm>
#include <mutex>

#include "tapestry/continuation/detail/engine/run.hpp"

namespace tapestry::detail {

namespace {

/// All scopes that there are. Never destroyed, since runs may outlive static objects.
struct Scopes {
  std::mutex mutex;
  NamedScope* first = nullptr;
  NamedScope* last = nullptr;

  static Scopes& get() {
    static Scopes& scopes = *new Scopes;
    return scopes;
  }
};

}  // namespace

NamedScope::NamedScope(Ref<const ProgramName> name, Ref<NamedScope> outer)
    : name_(std::move(name)), outer_(std::move(outer)) {
  Scopes& scopes = Scopes::get();
  const std::lock_guard guard(scopes.mutex);
  if (outer_) ++outer_->inner_;
  previous_ = scopes.last;
  (previous_ ? previous_->next_ : scopes.first) = this;
  scopes.last = this;
}

NamedScope::~NamedScope() {
  Scopes& scopes = Scopes::get();
  const std::lock_guard guard(scopes.mutex);
  if (outer_) --outer_->inner_;
  (previous_ ? previous_->next_ : scopes.first) = next_;
  (next_ ? next_->previous_ : scopes.last) = previous_;
}

WaitNote::WaitNote(NamedScope& scope, const Wait& wait) noexcept : scope_(scope), wait_(wait) {
  const SpinGuard guard(scope_.lock_);
  next_ = scope_.notes_;
  if (next_) next_->previous_ = this;
  scope_.notes_ = this;
}

WaitNote::~WaitNote() {
  const SpinGuard guard(scope_.lock_);
  (previous_ ? previous_->next_ : scope_.notes_) = next_;
  if (next_) next_->previous_ = previous_;
}

NamedScope::Snapshot NamedScope::snapshot() const {
  Snapshot snapshot{this, outer_.get(), name_, {}, inner_ > 0};
  const SpinGuard guard(lock_);
  for (const WaitNote* note = notes_; note; note = note->next_) snapshot.waits.push_back(note->wait_);
  std::ranges::reverse(snapshot.waits);
  return snapshot;
}

std::vector<NamedScope::Snapshot> NamedScope::all() {
  std::vector<Snapshot> snapshots;
  Scopes& scopes = Scopes::get();
  const std::lock_guard guard(scopes.mutex);
  for (const NamedScope* scope = scopes.first; scope; scope = scope->next_)
    snapshots.push_back(scope->snapshot());
  return snapshots;
}

void enterName(Run& run, const Ref<const ProgramName>& name) {
  const Ref<NamedScope>* outer = run.environment()->find<NameSlot>();
  run.enter(makeRef<const SlotEnvironment<NameSlot>>(run.environment(),
                                                     makeRef<NamedScope>(name, outer ? *outer : nullptr)));
}

namespace {

/// Marks the frame that owns a note; the value passes by.
void noted(WaitNote&, Run&) {}
constexpr FrameFunction* notedFrame = frameFunction<noted, WaitNote>;

}  // namespace

void Run::noteWait(const Wait& wait) {
  const Ref<NamedScope>* const scope = environment_->find<NameSlot>();
  if (!scope) return;
  Wait noteworthy = wait;
  if (!frames_.empty()) {
    // The topmost frame notes a wait that has ended. The run waits again before it has gone on, so the new
    // wait is part of the noted one.
    const Frame top = frames_.pop();
    if (top.resume == notedFrame) {
      if (wait.location.line() == 0) noteworthy.location = static_cast<const WaitNote*>(top.self)->location();
      top.owned->release();
    } else {
      push(top);
    }
  }
  push<noted>(makeRef<WaitNote>(**scope, noteworthy));
}

}  // namespace tapestry::detail
