// Defines Traverse, which runs a sequence of programs that is made as it goes, so many at a time.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

#include "tapestry/continuation/detail/engine/run.hpp"

namespace tapestry::detail {

/// Parks the parent run; a token, which exists once, pulls one branch after the other, passes itself on, to
/// an idle worker if there is one, and lets its thread run the branch. Where `limit` branches are in flight
/// it waits for one to end. The parent is resumed when no branch is left and all have ended. Nobody blocks,
/// and pulls do not overlap.
///
/// It is also the stop of its children, linked to the parent's; after a request nothing is pulled any more.
class Traverse : public StopState, private Parker {
 public:
  /// As the last thing in the parent's step; the frame that takes the results must own this.
  void begin(Run& parent, std::int64_t limit, const std::source_location& location);

 protected:
  /// A program, and where its outcome belongs, which `collect` is told.
  struct Branch {
    Ref<const ProgramNode> program;
    void* place;
  };

  /// The next branch; one without a program means that there is none.
  virtual Branch pull() noexcept = 0;
  /// Takes the branch's outcome out of its run; true if the others shall be asked to stop. Possibly at the
  /// same time for different branches.
  virtual bool collect(void* place, Run& run) noexcept = 0;

 private:
  class Child;
  class Token;

  bool park(Run& parent) noexcept override;
  void branchEnded() noexcept;

  Run* parent_ = nullptr;
  std::optional<const Environment> environment_;
  Token* token_ = nullptr;
  std::source_location location_;
  std::atomic<std::int64_t> free_{0};     ///< places for branches, less one while the token waits for a place
  std::atomic<std::int64_t> running_{1};  ///< branches in flight, and the token
};

}  // namespace tapestry::detail
