// Defines HelpScope, during which kernels may share their work with the idle workers of an executor.
#pragma once

#include <cstddef>

#include "tapestry/continuation/executor.hpp"
#include "tapestry/tensor/for_each_part.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// Shares parts with the executor's idle workers: the caller claims parts from the front, workers from the
/// back. The caller never waits for a worker that has claimed no part.
class ExecutorHelpers final : public Helpers {
 public:
  explicit ExecutorHelpers(Executor* workers) noexcept : workers_(workers) {}
  void share(std::size_t count, Part part, const void* work) noexcept override;

 private:
  Executor* const workers_;
};

/// While a HelpScope exists, kernels on the thread that made it share their work with these workers; with
/// nullptr they do not share.
class [[nodiscard]] HelpScope {
 public:
  explicit HelpScope(Executor* workers) noexcept : helpers_(workers), scope_(workers ? &helpers_ : nullptr) {}

 private:
  ExecutorHelpers helpers_;
  HelperScope scope_;
};

}  // namespace tapestry::detail
#pragma GCC visibility pop
