// Defines the stages of a stream that run a program or a stream in a separate scope: mapDo, flatMap and
// retry.
#pragma once

#include <exception>
#include <memory>
#include <optional>
#include <utility>

#include "tapestry/concurrent/stream/detail/items.hpp"
#include "tapestry/concurrent/stream/detail/pull.hpp"
#include "tapestry/raii/mask.hpp"
#include "tapestry/raii/retry.hpp"
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

/// The value of the program that the function returns for each item.
template <class A, class F>
auto mappedDo(const Do<Pull<A>>& open, F function, StageAt at) {
  using B = typename ResultOf<F, A>::ValueType;
  return open.map(
      [function = std::move(function), at](const Pull<A>& from) {
        auto items = std::make_shared<Items<A>>(from, at);
        return Pull<B>::suspend(
            [items, function, at] {
              return items->ready().flatMap(
                  [items, function, at](bool ready) -> Pull<B> {
                    if (!ready) return given(Chunk<B>());
                    return function(items->take())
                        .run()
                        .map([](B made) { return chunkOf<B>(std::move(made)); }, at.location);
                  },
                  at.location);
            },
            at.location);
      },
      at.location);
}

/// The items of the stream that the function returns for each item, one stream after the other.
template <class A, class F>
class FlatMapStage {
  using Inner = ResultOf<F, A>;
  using B = typename Inner::ValueType;
  using Self = std::shared_ptr<FlatMapStage>;

 public:
  FlatMapStage(const Pull<A>& from, F function, std::shared_ptr<InnerScope> scope, StageAt at)
      : items_(from, at), function_(std::move(function)), scope_(std::move(scope)), at_(at) {}

  static Do<Pull<B>> opening(const Do<Pull<A>>& open, F function, StageAt at) {
    return open.flatMap(
        [function = std::move(function), at](const Pull<A>& from) {
          return InnerScope::scoped().map([from, function, at](std::shared_ptr<InnerScope> scope) {
            return pulling<B>(std::make_shared<FlatMapStage>(from, function, std::move(scope), at), at);
          });
        },
        at.location);
  }

  static Pull<B> next(const Self& self) {
    if (!self->inner_) return nextStream(self);
    return self->inner_->flatMap(
        [self](Chunk<B> items) -> Pull<B> {
          if (!items.empty()) return given(std::move(items));
          self->inner_.reset();
          return self->scope_->leave().flatMap([self] { return nextStream(self); }, self->at_.location);
        },
        self->at_.location);
  }

 private:
  static Pull<B> nextStream(const Self& self) {
    return self->items_.ready().flatMap(
        [self](bool ready) -> Pull<B> {
          if (!ready) return given(Chunk<B>());
          const Inner stream = self->function_(self->items_.take());
          return self->scope_->enter(stream.open())
              .flatMap(
                  [self](Pull<B> inner) {
                    self->inner_.emplace(std::move(inner));
                    return next(self);
                  },
                  self->at_.location);
        },
        self->at_.location);
  }

  Items<A> items_;
  F function_;
  std::shared_ptr<InnerScope> scope_;
  StageAt at_;
  std::optional<Pull<B>> inner_;
};

template <class A>
class RetryStage {
  using Self = std::shared_ptr<RetryStage>;

 public:
  RetryStage(Do<Pull<A>> open, RetryPolicy policy, std::shared_ptr<InnerScope> scope, StageAt at)
      : open_(std::move(open)), policy_(std::move(policy)), scope_(std::move(scope)), at_(at) {}

  static Do<Pull<A>> opening(const Do<Pull<A>>& open, const RetryPolicy& policy, StageAt at) {
    check(policy, at.operation);
    return InnerScope::scoped().map(
        [open, policy, at](std::shared_ptr<InnerScope> scope) {
          return pulling<A>(std::make_shared<RetryStage>(open, policy, std::move(scope), at), at);
        },
        at.location);
  }

  static Pull<A> next(const Self& self) {
    return attempt(self).handleError(
        [self](const std::exception_ptr& error) -> Pull<A> {
          self->pull_.reset();
          if (!triesAgain(self->policy_, ++self->failures_, error)) return failed<Chunk<A>>(error);
          return self->scope_->leave().attempt().flatMap(
              [self, error](const Try<void>& left) -> Pull<A> {
                if (left.hasValue()) return again(self);
                Errors errors(error);
                errors.append(left.error());
                return failed<Chunk<A>>(errors.toException());
              },
              self->at_.location);
        },
        self->at_.location);
  }

 private:
  static Pull<A> attempt(const Self& self) {
    if (self->pull_) return *self->pull_;
    return self->scope_->enter(self->open_)
        .flatMap([self](Pull<A> pull) { return self->pull_.emplace(std::move(pull)); }, self->at_.location);
  }

  static Pull<A> again(const Self& self) {
    return backOff(self->policy_, self->failures_, self->at_.location)
        .flatMap([self] { return next(self); }, self->at_.location);
  }

  Do<Pull<A>> open_;
  RetryPolicy policy_;
  std::shared_ptr<InnerScope> scope_;
  StageAt at_;
  unsigned failures_ = 0;
  std::optional<Pull<A>> pull_;
};

}  // namespace tapestry::detail
#pragma GCC visibility pop
