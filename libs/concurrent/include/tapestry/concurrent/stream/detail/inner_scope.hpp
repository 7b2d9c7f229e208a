// Defines InnerScope, a scope within the scope of a stream, which is entered and left while the stream runs.
#pragma once

#include <memory>
#include <utility>

#include "tapestry/concurrent/stream/detail/pull.hpp"
#include "tapestry/raii/mask.hpp"
#include "tapestry/raii/scoped.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// For one run at a time. It is left at the end of the outer scope at the latest.
class InnerScope {
 public:
  [[nodiscard]] static Do<std::shared_ptr<InnerScope>> scoped() {
    return resource(Do<std::shared_ptr<InnerScope>>::delay([] { return std::make_shared<InnerScope>(); }),
                    [](const std::shared_ptr<InnerScope>& scope) { return scope->leave(); });
  }

  /// The program; its resources are held until this is left. This must have been left before, and must
  /// outlive the run.
  template <class A>
  [[nodiscard]] Do<A> enter(const Do<A>& program) {
    using Acquired = typename Do<A>::Acquired;
    return Do<A>(program.acquire().map([this](Acquired acquired) {
      release_ = acquired.takeRelease();
      return Acquired{std::move(acquired.value), {}};
    }));
  }

  /// Releases the held resources, and fails with the errors of that. A request to stop is not seen meanwhile.
  [[nodiscard]] Do<void> leave() {
    return mask(Do<void>::suspend([this] {
      using Acquired = typename Do<void>::Acquired;
      auto release = std::exchange(release_, {});
      if (!release) return Do<void>::now();
      return Do<void>(std::move(release)->map([](const Errors& errors) {
        Try<void> ended = Try<void>::success(Unit{});
        ended.absorb(errors);
        return Acquired{std::move(ended), {}};
      }));
    }));
  }

 private:
  Release<UnitContinuationMonad> release_;
};

}  // namespace tapestry::detail
#pragma GCC visibility pop
