// Defines NamedScope, a named program that runs are in, and Wait, what a run in it waits for.
#pragma once

#include <source_location>
#include <string>
#include <vector>

#include "tapestry/continuation/detail/node.hpp"
#include "tapestry/continuation/detail/spin_lock.hpp"

namespace tapestry::detail {

class Run;

/// What a run waits for: an operation, and where the user's source calls it, if that is known.
struct Wait {
  const char* operation;
  std::source_location location = {};
};

/// What all runs of a named program share.
struct ProgramName final : Node {
  ProgramName(std::string nameText, const std::source_location& where)
      : name(std::move(nameText)), location(where) {}
  const std::string name;
  const std::source_location location;
};

/// One of those that dumpRuns lists for as long as it lives: while a run, or one of its parallel branches, is
/// in the named program.
class NamedScope final : public Node {
 public:
  NamedScope(Ref<const ProgramName> name, Ref<NamedScope> outer);
  ~NamedScope() override;

  void enterWait(const Run& run, const Wait& wait);
  void leaveWait(const Run& run) noexcept;

  struct Snapshot {
    std::vector<Ref<const ProgramName>> names;  ///< from the innermost to the outermost
    std::vector<Wait> waits;                    ///< of the runs that are in no inner scope
    bool hasInner;
  };
  /// Of all scopes, the oldest first.
  static std::vector<Snapshot> all();

 private:
  struct RunWait {
    const Run* run;
    Wait wait;
  };

  Snapshot snapshot() const;

  const Ref<const ProgramName> name_;
  const Ref<NamedScope> outer_;
  mutable SpinLock lock_;
  std::vector<RunWait> waits_;  ///< guarded by lock_
  // guarded by the lock of the list of all scopes
  int inner_ = 0;  ///< scopes whose outer_ this is
  NamedScope* previous_ = nullptr;
  NamedScope* next_ = nullptr;
};

/// The slot of the environment that holds a run's innermost scope.
struct NameSlot {
  using Type = Ref<NamedScope>;
};

/// Puts the run into a new scope until everything above has been left.
void enterName(Run& run, const Ref<const ProgramName>& name);

}  // namespace tapestry::detail
