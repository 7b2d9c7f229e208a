// Defines ModelAtomics, on which the library's state machines run under an Interleaver, and ModelRun.
#pragma once

#include <atomic>
#include <optional>
#include <utility>

#include "support/threads/interleaver.hpp"
#include "tapestry/continuation/detail/engine/stop_list.hpp"
#include "tapestry/continuation/monad/errors.hpp"

namespace tapestry::test {

/// Every use of an atomic or of a lock is a step. Memory orders are taken for seq_cst.
struct ModelAtomics {
  template <class T>
  class Atomic {
   public:
    constexpr Atomic(T value) noexcept : value_(value) {}
    T load(std::memory_order = std::memory_order_seq_cst) const noexcept { return step(), value_; }
    void store(T value, std::memory_order = std::memory_order_seq_cst) noexcept { step(), value_ = value; }
    T exchange(T value, std::memory_order = std::memory_order_seq_cst) noexcept {
      return step(), std::exchange(value_, value);
    }
    T fetch_or(T bits) noexcept { return step(), std::exchange(value_, value_ | bits); }
    T fetch_and(T bits) noexcept { return step(), std::exchange(value_, value_ & bits); }
    T fetch_add(T n, std::memory_order = std::memory_order_seq_cst) noexcept {
      return step(), std::exchange(value_, value_ + n);
    }
    T fetch_sub(T n) noexcept { return step(), std::exchange(value_, value_ - n); }
    bool compare_exchange_strong(T& expected, T desired) noexcept {
      step();
      if (value_ != expected) {
        expected = value_;
        return false;
      }
      value_ = desired;
      return true;
    }
    bool compare_exchange_weak(T& expected, T desired,
                               std::memory_order = std::memory_order_seq_cst) noexcept {
      return compare_exchange_strong(expected, desired);
    }

   private:
    static void step() noexcept { interleavingPoint(); }
    T value_;
  };

  class Lock {
   public:
    void lock() noexcept {
      interleavingPoint();
      while (held_) waitInside([this] { return !held_; });
      held_ = true;
    }
    void unlock() noexcept { held_ = false; }

   private:
    bool held_ = false;
  };

  /// No request is watched here.
  static void lookedAt() noexcept {}

  static void pause() noexcept {
    int looks = 0;
    waitInside([&looks] { return looks++ > 0; });
  }
  static const void* thread() noexcept { return interleavedThread(); }
};

/// A run that is a thread of the model.
class ModelRun {
 public:
  explicit ModelRun(detail::StopList<ModelAtomics>& stop) noexcept : stop_(stop) {}

  /// As the library's runs.
  detail::StopList<ModelAtomics>& stopState() const noexcept { return stop_; }
  void stop(const Errors&) noexcept { stopped_ = true; }
  void resume() noexcept { ++resumed_; }

  /// For the run's thread: `goesOn` is what parking it said.
  void park(bool goesOn) {
    if (!goesOn) waitUntil([this] { return resumed_ == 1; });
    verify(resumed_ == (goesOn ? 0 : 1), "a run was resumed twice, or though it had not been left");
    resumed_ = 0;
  }
  bool stopped() const noexcept { return stopped_; }

 private:
  detail::StopList<ModelAtomics>& stop_;
  int resumed_ = 0;
  bool stopped_ = false;
};

/// For a thread of the model that asks to stop.
inline void request(detail::StopList<ModelAtomics>& stop) {
  if (stop.request()) stop.notify();
}

}  // namespace tapestry::test
