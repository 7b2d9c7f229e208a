// Defines PoolGate, the places of a pool, its idle instances of any type, and its shutdown.
#pragma once

#include <cstddef>
#include <vector>

#include "tapestry/raii/detail/pool_opening.hpp"
#include "tapestry/raii/semaphore.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// An instance of a pool; it is in the queue of idle instances while no run uses it.
class PooledInstance : public Node {
  friend class PoolGate;
  Ref<PooledInstance> next_;
};

/// open     a new user waits for a place
/// closing  waiting users are served; new users are refused
/// closed   all users are gone, and so are the instances
class PoolGate : public Node {
 public:
  /// Throws std::invalid_argument for a size of 0.
  static void checkSize(std::size_t size);

  explicit PoolGate(std::size_t size) : places_(size) {}

  std::size_t size() const noexcept { return places_.permits(); }

  /// Holds a place until the end of the scope. Fails with PoolClosed.
  Do<Ref<PoolPlace>> place(Location location);
  /// Refuses new users, and holds all places as soon as no other user holds a place or waits for one.
  Do<void> allPlaces(Location location);
  /// To be called by the holder of all places, after it has taken the idle instances.
  void closed() noexcept;

  /// For the holder of a place: the instance that has been idle for longest, or null.
  Ref<PooledInstance> takeIdle() noexcept;
  void putIdle(Ref<PooledInstance> instance) noexcept;

 private:
  friend PoolOpening;
  enum class Phase { open, closing, closed };
  Phase phase() noexcept;

  /// Adds an opening without a user, which is asked to stop as soon as no run waits for a place.
  void add(PoolOpening& opening);
  void remove(PoolOpening& opening) noexcept;
  void stopUnawaited() noexcept;

  const Semaphore places_;
  SpinLock lock_;
  Phase phase_ = Phase::open;
  Ref<PooledInstance> oldest_;
  PooledInstance* newest_ = nullptr;
  std::vector<Ref<PoolOpening>> unused_;  ///< openings without users that have not been asked to stop
};

}  // namespace tapestry::detail
#pragma GCC visibility pop
