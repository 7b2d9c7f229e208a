#include "tapestry/continuation/detail/engine/named_scope.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <utility>

#include "../trace/print_runs.hpp"
#include "tapestry/continuation/detail/engine/run.hpp"
#include "tapestry/continuation/observe_runs.hpp"

namespace tapestry::detail {

namespace {

/// All existing scopes. Never destroyed, since runs may outlive static objects.
struct Scopes {
  std::mutex mutex;
  NamedScope* first = nullptr;
  NamedScope* last = nullptr;
  std::uint64_t count = 0;  ///< of all scopes created so far

  static Scopes& get() {
    static Scopes& scopes = *new Scopes;
    return scopes;
  }
};

/// The observer is a local static, so that a static initializer of the user may set it before the library's
/// static initializers run.
std::atomic<RunObserver*>& observerOfAll() noexcept {
  static std::atomic<RunObserver*> observer{printerForEnvironment()};
  return observer;
}

}  // namespace

NamedScope::NamedScope(Ref<const ProgramName> name, Ref<NamedScope> outer, RunObserver* observer)
    : name_(std::move(name)), outer_(std::move(outer)), observer_(observer) {
  Scopes& scopes = Scopes::get();
  const std::lock_guard guard(scopes.mutex);
  id_ = ++scopes.count;
  previous_ = scopes.last;
  (previous_ ? previous_->next_ : scopes.first) = this;
  scopes.last = this;
}

NamedScope::~NamedScope() {
  Scopes& scopes = Scopes::get();
  const std::lock_guard guard(scopes.mutex);
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
  Snapshot snapshot{this, outer_.get(), name_, {}};
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

void WaitNote::ended(Run& run) noexcept {
  if (scope_.observer()) scope_.observer()->resumed(RunSpan(scope_), &run);
}

void EnterName::operator()(Run& run) const {
  constexpr auto leave = [](NamedScope& scope, Run& r) { scope.observer()->left(RunSpan(scope), &r); };
  const Ref<NamedScope>* const outer = run.environment()->find<NameSlot>();
  RunObserver* const* const observer = run.environment()->find<ObserverSlot>();
  auto scope =
      makeRef<NamedScope>(name, outer ? *outer : nullptr, observer ? *observer : observerOfAll().load());
  if (scope->observer()) {
    scope->observer()->entered(RunSpan(*scope), &run);
    run.push<leave, leave>(scope);
  }
  run.enter(makeRef<const SlotEnvironment<NameSlot>>(run.environment(), std::move(scope)));
}

void observeBranch(Run& run) {
  const Ref<NamedScope>* const scope = run.environment()->find<NameSlot>();
  if (!scope || !(*scope)->observer()) return;
  constexpr auto end = [](NamedScope& s, Run& r) { s.observer()->branchEnded(RunSpan(s), &r); };
  (*scope)->observer()->branchBegan(RunSpan(**scope), &run);
  run.push<end, end>(*scope);
}

namespace {

/// The function that marks the frame that owns a note; the value, or the stop, is passed on.
constexpr FrameFunction* notedFrame = frameFunction<&WaitNote::ended, WaitNote>();

/// The program of a run's next turn.
class ObservedTurn final : public ProgramNode {
 public:
  ObservedTurn(Ref<const NamedScope> scope, const ProgramNode& program, bool isOwned) noexcept
      : scope_(std::move(scope)), program_(program), isOwned_(isOwned) {}

  void step(Run& run, Keeper::Raw keeper) const override {
    const Keeper self(keeper);
    begin(run);
    program_.step(run, {isOwned_ ? &program_ : nullptr});
  }
  void begin(Run& run) const noexcept { scope_->observer()->resumed(RunSpan(*scope_), &run); }

 private:
  const Ref<const NamedScope> scope_;
  const ProgramNode& program_;
  const bool isOwned_;
};

class EnteringFirst final : public ProgramNode {
 public:
  EnteringFirst(Ref<const ProgramNode> program, const char* what,
                const std::source_location& location) noexcept
      : program_(std::move(program)), what_(what), location_(location) {}

  void step(Run& run, Keeper::Raw keeper) const override {
    const Keeper self(keeper);
    observeBranch(run);
    enterTracked(run, what_, location_);
    program_->step(run, {Ref<const ProgramNode>(program_).detach()});
  }

 private:
  const Ref<const ProgramNode> program_;
  const char* const what_;
  const std::source_location location_;
};

}  // namespace

Ref<const ProgramNode> enteringFirst(Ref<const ProgramNode> program, const char* what,
                                     const std::source_location& location) {
  return makeRef<const EnteringFirst>(std::move(program), what, location);
}

void Run::noteWait(const Wait& wait) {
  const Ref<NamedScope>* const scope = environment_->find<NameSlot>();
  if (!scope) return;
  Wait noteworthy = wait;
  bool goesOnWaiting = false;
  if (!frames_.empty() && !frames_.onlyKeeps()) {
    // The topmost frame notes a wait that has ended. The run waits again before it has continued, so the new
    // wait is part of the noted one.
    Frame top = frames_.pop();
    if (top.resume == notedFrame) {
      goesOnWaiting = true;
      if (wait.location.line() == 0) noteworthy.location = static_cast<const WaitNote*>(top.self)->location();
    } else {
      push(std::move(top));
    }
  }
  if (RunObserver* const observer = (*scope)->observer(); observer && !goesOnWaiting)
    observer->suspended(RunSpan(**scope), this, wait.operation, wait.location);
  push<&WaitNote::ended, &WaitNote::ended>(makeRef<WaitNote>(**scope, noteworthy));
}

std::uintptr_t Run::observedTurn(std::uintptr_t next) {
  const Ref<NamedScope>* const scope = environment_->find<NameSlot>();
  if (!scope || !(*scope)->observer()) return next;
  (*scope)->observer()->suspended(RunSpan(**scope), this, "its turn", std::source_location());
  const auto* const program = reinterpret_cast<const ProgramNode*>(next & ~marks);
  return reinterpret_cast<std::uintptr_t>(new ObservedTurn(*scope, *program, next & isOwned)) | isOwned;
}

void Run::endObservedTurn(std::uintptr_t turn) noexcept {
  const auto* const observed =
      static_cast<const ObservedTurn*>(reinterpret_cast<const ProgramNode*>(turn & ~marks));
  observed->begin(*this);
  observed->release();
}

}  // namespace tapestry::detail

namespace tapestry {

void observeRuns(RunObserver* observer) noexcept { detail::observerOfAll() = observer; }

std::uint64_t RunSpan::id() const noexcept { return scope_->id(); }
const std::string& RunSpan::name() const noexcept { return scope_->name().name; }
bool RunSpan::isNamed() const noexcept { return scope_->name().ofUser; }
const std::source_location& RunSpan::location() const noexcept { return scope_->name().location; }
std::optional<RunSpan> RunSpan::outer() const noexcept {
  const detail::NamedScope* const outer = scope_->outer();
  if (!outer || outer->observer() != scope_->observer()) return std::nullopt;
  return RunSpan(*outer);
}

}  // namespace tapestry
