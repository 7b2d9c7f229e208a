// Defines RunGroup, the runs for which an executor waits before it is destroyed.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <mutex>

#include "tapestry/continuation/detail/engine/stop_state.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

class RunGroup {
 public:
  RunGroup() : stop_(makeRef<StopState>()) {}

  /// Asks all members to stop, including later members, and waits until no member is left.
  void stopAndWait() noexcept;

 private:
  friend class GroupMember;
  void enter() noexcept;
  void leave() noexcept;

  const Ref<StopState> stop_;
  std::mutex mutex_;
  std::condition_variable empty_;
  std::size_t members_ = 0;
};

}  // namespace tapestry::detail
#pragma GCC visibility pop
