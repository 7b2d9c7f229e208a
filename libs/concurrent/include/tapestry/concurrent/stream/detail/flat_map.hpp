// Defines the stages of a stream that run a program or another stream for each item: mapDo and flatMap.
#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "tapestry/concurrent/stream/detail/inner_scope.hpp"
#include "tapestry/concurrent/stream/detail/items.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

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

}  // namespace tapestry::detail
#pragma GCC visibility pop
