#include "tapestry/continuation/named.hpp"

#include <algorithm>
#include <mutex>
#include <ostream>
#include <sstream>

#include "tapestry/continuation/detail/engine/named_scope.hpp"

namespace tapestry {

namespace detail {

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
  Snapshot snapshot{{}, {}, inner_ > 0};
  for (const NamedScope* scope = this; scope; scope = scope->outer_.get())
    snapshot.names.push_back(scope->name_);
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

namespace {

void writePlace(std::ostream& out, const std::source_location& location) {
  if (location.line() != 0) out << " (" << location.file_name() << ':' << location.line() << ')';
}

void writeLine(std::ostream& out, const NamedScope::Snapshot& scope, const Wait* wait) {
  const char* before = "";
  for (const auto& name : scope.names) {
    out << before << '"' << name->name << '"';
    writePlace(out, name->location);
    before = " in ";
  }
  if (wait) {
    out << ": waits for " << wait->operation;
    writePlace(out, wait->location);
  } else {
    out << ": at work";
  }
  out << '\n';
}

void writeLines(std::ostream& out, const NamedScope::Snapshot& scope) {
  for (const Wait& wait : scope.waits) writeLine(out, scope, &wait);
  if (scope.waits.empty() && !scope.hasInner) writeLine(out, scope, nullptr);
}

}  // namespace

std::string linesOfRunsIn(const ProgramName& name) {
  std::ostringstream out;
  for (const auto& scope : NamedScope::all())
    if (scope.names.back().get() == &name) writeLines(out, scope);
  return out.str();
}

}  // namespace detail

void dumpRuns(std::ostream& out) {
  for (const auto& scope : detail::NamedScope::all()) detail::writeLines(out, scope);
}

}  // namespace tapestry
