// Defines the stage of a stream that begins a failed stream again: retry.
#pragma once

#include <exception>
#include <memory>
#include <optional>
#include <utility>

#include "tapestry/concurrent/stream/detail/inner_scope.hpp"
#include "tapestry/raii/retry.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

template <class A>
class RetryStage {
  using Self = std::shared_ptr<RetryStage>;

 public:
  RetryStage(Do<Pull<A>> open, RetryPolicy policy, std::shared_ptr<InnerScope> scope, StageAt at)
      : open_(std::move(open)), policy_(std::move(policy)), scope_(std::move(scope)), at_(at) {}

  static Do<Pull<A>> opening(const Do<Pull<A>>& open, const RetryPolicy& policy, StageAt at) {
    check(policy);
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
          if (++self->failures_ >= self->policy_.attempts ||
              (self->policy_.retries && !self->policy_.retries(error)))
            return failed<Chunk<A>>(error);
          return self->scope_->leave().flatMap([self] { return again(self); }, self->at_.location);
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
    const auto waiting = askRandom().flatMap([self](Random* random) {
      return sleepFor(waitAfter(self->policy_, self->failures_, *random), self->at_.location);
    });
    return Do<void>::lift(waiting).flatMap([self] { return next(self); }, self->at_.location);
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
