// Defines NamedScope, a named program that runs are in, and WaitNote, that one of them waits, and what for.
#pragma once

#include <source_location>
#include <string>
#include <vector>

#include "tapestry/continuation/detail/engine/node.hpp"
#include "tapestry/continuation/detail/spin_lock.hpp"

namespace tapestry::detail {

class Run;
class WaitNote;

/// What a run waits for: an operation, and where the user's source calls it, if that is known.
struct Wait {
  const char* operation;
  std::source_location location = {};
};

/// What all runs of a named program share.
struct ProgramName final : Node {
  ProgramName(std::string nameText, const std::source_location& where, bool isOfUser = true)
      : name(std::move(nameText)), location(where), ofUser(isOfUser) {}
  const std::string name;
  const std::source_location location;
  const bool ofUser;  ///< else it stands for a run, or a branch, without a name
};

/// One of those that dumpRuns lists for as long as it lives: while a run, or one of its parallel branches, is
/// in the named program.
class NamedScope final : public Node {
 public:
  NamedScope(Ref<const ProgramName> name, Ref<NamedScope> outer);
  ~NamedScope() override;

  struct Snapshot {
    const NamedScope* scope;  ///< which may be gone by now
    const NamedScope* outer;
    Ref<const ProgramName> name;
    std::vector<Wait> waits;  ///< of the runs that are in no inner scope
    bool hasInner;
  };
  /// Of all scopes, the oldest first, so that each comes after its outer one.
  static std::vector<Snapshot> all();

 private:
  friend class WaitNote;

  Snapshot snapshot() const;

  const Ref<const ProgramName> name_;
  const Ref<NamedScope> outer_;
  mutable SpinLock lock_;
  WaitNote* notes_ = nullptr;  ///< the newest first; guarded by lock_, as their links are
  // guarded by the lock of the list of all scopes
  int inner_ = 0;  ///< scopes whose outer_ this is
  NamedScope* previous_ = nullptr;
  NamedScope* next_ = nullptr;
};

/// A run's wait, noted in its innermost scope, which outlives it: the topmost frame of the run owns it.
class WaitNote final : public Node {
 public:
  WaitNote(NamedScope& scope, const Wait& wait) noexcept;
  ~WaitNote() override;
  const std::source_location& location() const noexcept { return wait_.location; }

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
void enterName(Run& run, const Ref<const ProgramName>& name);

}  // namespace tapestry::detail
