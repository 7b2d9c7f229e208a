// Defines Traverse, which runs a lazily made sequence of programs, a limited number at a time.
#pragma once

#include <cstdint>
#include <optional>

#include "tapestry/continuation/detail/atomics.hpp"
#include "tapestry/continuation/detail/engine/run.hpp"
#include "tapestry/continuation/parallel/detail/traverse_counter.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// Parks the parent run. A single token pulls one branch after the other, passes itself on, to an idle worker
/// if there is one, and lets its thread run the branch. While `limit` branches are in flight, the token waits
/// for a branch to end. The parent is resumed when no branch is left and all have ended. No thread blocks,
/// and pulls do not overlap.
///
/// It is also the stop state of its children, linked to the parent's; after a request no branch is pulled.
class Traverse : public StopState, private Parker {
 public:
  /// Called as the last action of the parent's step; the frame that takes the results must own this object.
  void begin(Run& parent, std::int64_t limit, const std::source_location& location);

 protected:
  /// A program and the place of its outcome, which is passed to `collect`.
  struct Branch {
    Ref<const ProgramNode> program;
    void* place;
  };

  /// Returns the next branch; a null program means that there is none.
  virtual Branch pull() noexcept = 0;
  /// Takes the branch's outcome out of its run; returns true if the other branches shall be asked to stop.
  /// Possibly called concurrently for different branches.
  virtual bool collect(void* place, Run& run) noexcept = 0;

 private:
  class Child;
  class Token;

  bool park(Run& parent) noexcept override;
  void branchEnded() noexcept;
  std::uintptr_t branchOf(const Run& run) const noexcept override;

  Run* parent_ = nullptr;
  std::optional<const Environment> environment_;
  Token* token_ = nullptr;
  std::source_location location_;
  TraverseCounter<Atomics> branches_;
};

}  // namespace tapestry::detail
#pragma GCC visibility pop
