// Defines LockState, a lock that one writer or any number of readers hold, in the order of arrival.
#pragma once

#include <cstddef>

#include "tapestry/continuation/extend/wait_queue.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// While runs wait, the first in the queue cannot have the lock yet: no run overtakes it. As a program, this
/// is the release of one holder, and yields no errors: a release costs no allocation.
class LockState final : public ProgramNode {
 public:
  enum class Mode : unsigned char { exclusive, shared };

  bool isFree() noexcept;
  /// Whether a run waits for the lock.
  bool isAwaited() noexcept;

 private:
  friend class LockPlace;
  friend class TryLockPlace;

  void step(Run& run, Keeper::Raw keeper) const override;
  bool putAtOnce(Run& run) const override;
  /// Releases the lock of the writer, or of one reader.
  void unlock() noexcept;
  /// Gives the lock to the first waiters in the queue that can have it now, and wakes them.
  void serve() noexcept;

  // preconditions: locked
  bool takes(Mode mode) noexcept;
  bool admits(Mode mode) const noexcept { return mode == Mode::exclusive ? holders_ == 0 : holders_ >= 0; }
  void add(Mode mode) noexcept { holders_ = mode == Mode::exclusive ? writer : holders_ + 1; }

  static constexpr std::ptrdiff_t writer = -1;

  WaitQueue queue_;
  std::ptrdiff_t holders_ = 0;  ///< the number of readers, or `writer`
};

}  // namespace tapestry::detail
#pragma GCC visibility pop
