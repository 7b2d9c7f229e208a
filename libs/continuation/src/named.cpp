#include "tapestry/continuation/named.hpp"

#include <algorithm>
#include <mutex>
#include <ostream>

#include "tapestry/continuation/detail/named_scope.hpp"

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

void NamedScope::enterWait(const Run& run, const Wait& wait) {
  const SpinGuard guard(lock_);
  const auto known = std::ranges::find(waits_, &run, &RunWait::run);
  if (known == waits_.end())
    waits_.push_back({&run, wait});
  else
    known->wait = wait;
}

void NamedScope::leaveWait(const Run& run) noexcept {
  const SpinGuard guard(lock_);
  const auto known = std::ranges::find(waits_, &run, &RunWait::run);
  if (known != waits_.end()) waits_.erase(known);
}

NamedScope::Snapshot NamedScope::snapshot() const {
  Snapshot snapshot{{}, {}, inner_ > 0};
  for (const NamedScope* scope = this; scope; scope = scope->outer_.get())
    snapshot.names.push_back(scope->name_);
  const SpinGuard guard(lock_);
  for (const RunWait& wait : waits_) snapshot.waits.push_back(wait.wait);
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

void Run::enterWait(const Wait& wait) {
  if (const Ref<NamedScope>* scope = environment_->find<NameSlot>()) (*scope)->enterWait(*this, wait);
}

void Run::leaveWait() noexcept {
  if (const Ref<NamedScope>* scope = environment_->find<NameSlot>()) (*scope)->leaveWait(*this);
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

}  // namespace

}  // namespace detail

void dumpRuns(std::ostream& out) {
  for (const auto& scope : detail::NamedScope::all()) {
    for (const detail::Wait& wait : scope.waits) detail::writeLine(out, scope, &wait);
    if (scope.waits.empty() && !scope.hasInner) detail::writeLine(out, scope, nullptr);
  }
}

}  // namespace tapestry
