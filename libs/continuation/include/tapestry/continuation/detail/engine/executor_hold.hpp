// Defines ExecutorHold, which keeps an executor's core alive and its context at work.
#pragma once

#include <utility>

#include "tapestry/continuation/executor.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// An owner of one hold of a core; may be empty.
class ExecutorHold {
 public:
  ExecutorHold() noexcept = default;
  explicit ExecutorHold(Executor& executor) noexcept : core_(&executor.core()) { core_->hold(); }
  /// Takes over a hold of the core.
  static ExecutorHold adopt(Executor& core) noexcept {
    ExecutorHold hold;
    hold.core_ = &core;
    return hold;
  }
  ExecutorHold(const ExecutorHold& other) noexcept : core_(other.core_) {
    if (core_) core_->hold();
  }
  ExecutorHold(ExecutorHold&& other) noexcept : core_(std::exchange(other.core_, nullptr)) {}
  ExecutorHold& operator=(ExecutorHold other) noexcept {
    std::swap(core_, other.core_);
    return *this;
  }
  ~ExecutorHold() {
    if (core_) core_->letGo();
  }

  /// Null if it is empty.
  Executor* get() const noexcept { return core_; }

 private:
  Executor* core_ = nullptr;
};

}  // namespace tapestry::detail
#pragma GCC visibility pop
