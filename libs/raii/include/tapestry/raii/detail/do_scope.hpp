// Defines DoScope, a block of direct style that may fail and that holds the resources which it has awaited.
#pragma once

#include <exception>
#include <optional>
#include <utility>

#include "tapestry/continuation/detail/direct_block.hpp"
#include "tapestry/raii/do.hpp"

namespace tapestry::detail {

class DoScope : public DirectBlock {
 public:
  /// The block that runs on this thread. Throws std::logic_error where it is not one of direct<Do>.
  static DoScope& checkedCurrent();

  /// Runs the program, holds what it has acquired, and returns its value or throws its error.
  template <class A>
  A awaitHolding(const Do<A>& program) {
    auto acquired = await(program.acquire());
    release_ = sequence<UnitContinuationMonad>(std::move(acquired.release), std::move(release_));
    return std::move(acquired.value).valueOrThrow();
  }

 protected:
  DoScope() noexcept : DirectBlock(StopErrors::handled) {}

  /// What was acquired, for the enclosing scope. To be called once.
  Release<UnitContinuationMonad> takeRelease() noexcept { return std::move(release_); }

  /// Releases everything and goes on stopping, with the block's own error, if not null, added.
  void stop(Run& run, const std::exception_ptr& error);

 private:
  Release<UnitContinuationMonad> release_;
};

template <class F>
class DoBlock final : public DoScope {
  using A = ResultOf<F, void>;

 public:
  using Function = F;
  using ValueType = typename Do<A>::Acquired;

  DoBlock(const F& function, Location) noexcept : function_(function) {}

 private:
  void body(Run& run) noexcept override {
    std::optional<Try<A>> result;
    try {
      result.emplace(Try<A>::success(call<void>(function_, Unit{})));
    } catch (const Cancelled&) {
    } catch (...) {
      result.emplace(Try<A>::failure(std::current_exception()));
    }
    if (result && !stopped()) return run.put(ValueType{*std::move(result), takeRelease()});
    stop(run, result ? result->error() : nullptr);
  }

  const F& function_;
};

}  // namespace tapestry::detail
