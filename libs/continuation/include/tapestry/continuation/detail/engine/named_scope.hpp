// Defines NamedScope, a named program that runs are in, WaitNote, the note of a run's wait, and the functions
// by which runs, named or not, enter scopes.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <source_location>
#include <string>
#include <vector>

#include "tapestry/continuation/detail/atomics.hpp"
#include "tapestry/continuation/detail/engine/node.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

class RunObserver;

}  // namespace tapestry

namespace tapestry::detail {

class ProgramNode;
class Run;
class WaitNote;

/// The operation that a run waits for, and the place in the user's source that calls it, if known.
struct Wait {
  const char* operation;
  std::source_location location = {};
};

/// The part of a named program that all its runs share.
struct ProgramName final : Node {
  ProgramName(std::string nameText, const std::source_location& where, bool isOfUser = true)
      : name(std::move(nameText)), location(where), ofUser(isOfUser) {}
  const std::string name;
  const std::source_location location;
  const bool ofUser;  ///< false for the name of an unnamed run or branch
};

/// Listed by dumpRuns during its lifetime: while a run, or a parallel branch of the run, is in the named
/// program.
class NamedScope final : public Node {
 public:
  /// The observer is notified of the scope; null for none.
  NamedScope(Ref<const ProgramName> name, Ref<NamedScope> outer, RunObserver* observer = nullptr);
  ~NamedScope() override;

  struct Snapshot {
    const NamedScope* scope;  ///< may be destroyed by now
    const NamedScope* outer;
    Ref<const ProgramName> name;
    std::vector<Wait> waits;  ///< of the runs that are in no inner scope
  };
  /// Snapshots of all scopes, the oldest first, so that each comes after its outer scope.
  static std::vector<Snapshot> all();

  std::uint64_t id() const noexcept { return id_; }
  const ProgramName& name() const noexcept { return *name_; }
  const NamedScope* outer() const noexcept { return outer_.get(); }
  RunObserver* observer() const noexcept { return observer_; }

 private:
  friend class WaitNote;

  Snapshot snapshot() const;

  const Ref<const ProgramName> name_;
  const Ref<NamedScope> outer_;
  RunObserver* const observer_;
  std::uint64_t id_;
  mutable SpinLock lock_;
  WaitNote* notes_ = nullptr;  ///< the newest first; guarded by lock_, as their links are
  // guarded by the lock of the list of all scopes
  NamedScope* previous_ = nullptr;
  NamedScope* next_ = nullptr;
};

/// A run's wait, noted in the run's innermost scope, which outlives the note. The run's topmost frame owns
/// it.
class WaitNote final : public Node {
 public:
  WaitNote(NamedScope& scope, const Wait& wait) noexcept;
  ~WaitNote() override;
  const std::source_location& location() const noexcept { return wait_.location; }
  /// Called when the run continues.
  void ended(Run& run) noexcept;

 private:
  friend class NamedScope;
  NamedScope& scope_;
  const Wait wait_;
  WaitNote* previous_ = nullptr;
  WaitNote* next_ = nullptr;
};

/// The slot of the environment that holds a run's innermost scope.
struct NameSlot {
  using Type = Ref<NamedScope>;
};

/// The lines of dumpRuns for runs whose outermost name this is.
std::string linesOfRunsIn(const ProgramName& name);

/// Puts the run into a new scope until everything above has been left.
struct EnterName {
  void operator()(Run& run) const;
  Ref<const ProgramName> name;
};

/// Called when a branch with a separate run is about to begin: notifies the observer of its scope, if there
/// is one, when the branch begins and ends.
void observeBranch(Run& run);

/// Whether trackRuns is on.
extern std::atomic<bool> runsAreTracked;

// relaxed: a run that begins during a change may be listed or not
inline bool tracksRuns() noexcept { return runsAreTracked.load(std::memory_order_relaxed); }

void enterUnnamed(Run& run, const char* what, const std::source_location& location);
void enterUnnamedBranch(Run& run, std::size_t number, const std::source_location& location);

/// If runs are tracked, puts a run that is about to begin into a scope until everything above has been left.
inline void enterTracked(Run& run, const char* what, const std::source_location& location) {
  if (tracksRuns()) [[unlikely]]
    enterUnnamed(run, what, location);
}
/// As above, for the branch with the number, counted from 1; 0 for no number.
inline void enterTrackedBranch(Run& run, std::size_t number, const std::source_location& location) {
  if (tracksRuns()) [[unlikely]]
    enterUnnamedBranch(run, number, location);
}

/// The first program of a run that another thread may begin: on that thread it notifies the observer, as
/// observeBranch does, and enters a scope, as enterTracked does, before the program.
Ref<const ProgramNode> enteringFirst(Ref<const ProgramNode> program, const char* what,
                                     const std::source_location& location);

}  // namespace tapestry::detail
#pragma GCC visibility pop
