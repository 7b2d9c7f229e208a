// Defines DoScope and DoBlock, a block of direct style that may fail and that holds the resources of the
// programs that it awaits.
#pragma once

#include <exception>
#include <optional>
#include <utility>

#include "tapestry/continuation/extend/awaitable.hpp"
#include "tapestry/raii/do.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

class DoScope : public BlockScope {
 public:
  /// The scope of the block. Throws std::logic_error if the block is not one of direct<Do>.
  static DoScope& of(const StoppableBlock& block);

  /// Holds the resource, and returns the value or throws the error.
  template <class A>
  A hold(Resource<UnitContinuationMonad, Try<A>> acquired, const Location& location) {
    release_ = sequence<UnitContinuationMonad>(acquired.takeRelease(), std::move(release_));
    extend::notePlace(acquired.value.error(), "await", location);
    return std::move(acquired.value).valueOrThrow();
  }

 protected:
  /// The release of all resources, for the enclosing scope. To be called once.
  Release<UnitContinuationMonad> takeRelease() noexcept { return std::move(release_); }

  /// Releases everything, and stops the run with the errors.
  void stop(Run& run, Errors errors);

 private:
  Release<UnitContinuationMonad> release_;
};

template <class Carrier>
class DoBlock final : private DoScope, public Carrier {
  using A = typename Carrier::Result;

 public:
  using ValueType = typename Do<A>::Acquired;

  DoBlock(const typename Carrier::Function& function, const Location& location) noexcept
      : Carrier(static_cast<DoScope*>(this), function), location_(location) {}

 private:
  void body(Run& run) noexcept override {
    std::optional<Try<A>> result;
    try {
      result.emplace(Try<A>::success(this->result()));
    } catch (const Cancelled&) {
    } catch (...) {
      result.emplace(Try<A>::failure(extend::At{"direct", location_}(std::current_exception())));
    }
    end(run, std::move(result));
  }
  void refuse(Run& run, const std::exception_ptr& error) noexcept override {
    Errors errors;
    if (const auto before = this->takeThrown()) errors.append(before);
    errors.append(error);
    end(run, Try<A>::failure(errors.toException()));
  }
  void end(Run& run, std::optional<Try<A>>&& result) noexcept {
    if (result && !this->stopped()) return run.put(ValueType{*std::move(result), takeRelease()});
    Errors errors = this->takeStopped();
    if (result && result->error()) errors.append(result->error());
    stop(run, std::move(errors));
  }

  const Location location_;
};

}  // namespace tapestry::detail
#pragma GCC visibility pop
