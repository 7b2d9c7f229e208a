// Defines PoolOpening, the run in which a pool makes an instance, and PoolPlace, the place of the instance.
#pragma once

#include <utility>

#include "tapestry/continuation/extend/detached_run.hpp"
#include "tapestry/continuation/extend/wait_queue.hpp"
#include "tapestry/continuation/unit_continuation.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

class PoolGate;

/// A place of a pool, for one instance. A user holds it until the end of its scope, unless the opening of its
/// instance has taken it over.
struct PoolPlace final : Node {
  explicit PoolPlace(UnitContinuation<Errors> release) noexcept : giving(std::move(release)) {}
  const UnitContinuation<Errors> giving;  ///< releases it
  bool takenOver = false;                 ///< used only by the user's run
};

/// A separate run that makes an instance on behalf of one user. If the user leaves before its end, the run
/// takes over the user's place, and the instance belongs to the pool; the run is asked to stop as soon as no
/// run waits for a place of the pool.
class PoolOpening : public DetachedRun {
 public:
  PoolOpening(Ref<PoolGate> gate, Ref<PoolPlace> place, const Run& user) noexcept;
  ~PoolOpening() override;

  /// The user, at which its run parks.
  class User final : public Waiter {
   public:
    explicit User(Ref<PoolOpening> opening) noexcept
        : Waiter(opening->queue_), opening_(std::move(opening)) {}
    PoolOpening& opening() const noexcept { return *opening_; }

   private:
    bool enter() noexcept override { return opening_->hasEnded_; }
    const Ref<PoolOpening> opening_;
  };

  /// To be called by a user that ends its wait; false if the opening has ended for it.
  [[nodiscard]] bool leave() noexcept;
  /// Whether the user need not wait, as the opening has ended.
  bool hasEnded() noexcept;

 protected:
  /// To be called by the run with an instance, an error or neither as its result, for the user; false if the
  /// user has left.
  [[nodiscard]] bool endForUser() noexcept;
  /// For a run whose user has left, as its last step: frees the place.
  void givePlace(Run& run) noexcept;

 private:
  const Ref<PoolGate> gate_;
  const Ref<PoolPlace> place_;
  WaitQueue queue_;  ///< its lock guards what follows
  bool hasEnded_ = false;
  bool userLeft_ = false;
};

}  // namespace tapestry::detail
#pragma GCC visibility pop
