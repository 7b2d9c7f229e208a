// Defines PoolOpening, the run in which a pool makes an instance, and PoolPlace, where it makes it.
#pragma once

#include <utility>

#include "tapestry/continuation/extend/detached_run.hpp"
#include "tapestry/continuation/extend/wait_queue.hpp"
#include "tapestry/continuation/unit_continuation.hpp"

namespace tapestry::detail {

class PoolGate;

/// A place of a pool, for one instance. A user holds it until the end of its scope, unless the opening of its
/// instance has taken it over.
struct PoolPlace final : Node {
  explicit PoolPlace(UnitContinuation<Errors> release) noexcept : giving(std::move(release)) {}
  const UnitContinuation<Errors> giving;  ///< releases it
  bool takenOver = false;                 ///< for the user's run
};

/// The making of an instance, a run of its own on behalf of one user. If the user leaves before, the run
/// takes its place over, and what it makes is the pool's. As soon as no run waits for a place of the pool it
/// is asked to stop.
class PoolOpening : public DetachedRun {
 public:
  PoolOpening(Ref<PoolGate> gate, Ref<PoolPlace> place, const Run& user) noexcept;
  ~PoolOpening() override;

  /// The user's run parks at it.
  class User final : public Waiter {
   public:
    explicit User(Ref<PoolOpening> opening) noexcept
        : Waiter(opening->queue_), opening_(std::move(opening)) {}
    PoolOpening& opening() const noexcept { return *opening_; }

   private:
    bool enter() noexcept override { return opening_->hasEnded_; }
    const Ref<PoolOpening> opening_;
  };

  /// For the user, which does not wait any more; false if the opening has ended for it.
  [[nodiscard]] bool leave() noexcept;
  /// For the user: whether it need not wait.
  bool hasEnded() noexcept;

 protected:
  /// For the run, which has an instance, an error or neither: gives that to the user; false if it has left.
  [[nodiscard]] bool endForUser() noexcept;
  /// For a run whose user has left, as its last step: others may have the place.
  void givePlace(Run& run) noexcept;

 private:
  const Ref<PoolGate> gate_;
  const Ref<PoolPlace> place_;
  WaitQueue queue_;  ///< its lock guards what follows
  bool hasEnded_ = false;
  bool userLeft_ = false;
};

}  // namespace tapestry::detail
