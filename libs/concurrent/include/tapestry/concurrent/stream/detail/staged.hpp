// Defines staged, which makes a stream by a stage that turns items into items without waiting.
#pragma once

#include <exception>
#include <memory>
#include <utility>

#include "tapestry/concurrent/stream/detail/pull.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// A Stage is made afresh for each consumer, and has
/// - `Item`, the type of the items that it makes;
/// - `bool apply(Chunk<A> from, Chunk<Item>& to)`, which appends to an empty `to`, and returns whether more
/// can follow;
/// - if it keeps items, `void end(Chunk<Item>& to)`, which appends the remaining items at the end;
/// - if the remaining items also come before an error of the source, the type `EndsAtErrors`.
/// Both functions may throw: the items that they have appended by then are passed on before the error.
template <class A, class Stage>
class Staged {
  using B = typename Stage::Item;
  using Self = std::shared_ptr<Staged>;

 public:
  Staged(Pull<A> from, Stage stage, StageAt at) : from_(std::move(from)), stage_(std::move(stage)), at_(at) {}

  static Pull<B> next(const Self& self) {
    if (self->failure_) return failed<Chunk<B>>(std::exchange(self->failure_, nullptr));
    if (self->ended_) return given(Chunk<B>());
    if constexpr (requires { typename Stage::EndsAtErrors; })
      return self->from_.attempt().flatMap(
          [self](Try<Chunk<A>> items) {
            self->failure_ = items.error();
            return goOn(self, items.hasValue() ? std::move(items).get() : Chunk<A>());
          },
          self->at_.location);
    else
      return self->from_.flatMap([self](Chunk<A> items) { return goOn(self, std::move(items)); },
                                 self->at_.location);
  }

 private:
  static Pull<B> goOn(const Self& self, Chunk<A> items) {
    Chunk<B> made = self->apply(std::move(items));
    if (made.empty()) return next(self);
    return given(std::move(made));
  }

  Chunk<B> apply(Chunk<A> items) noexcept {
    Chunk<B> made;
    try {
      if (!items.empty()) {
        ended_ = !stage_.apply(std::move(items), made);
      } else {
        ended_ = true;
        if constexpr (requires { stage_.end(made); }) stage_.end(made);
      }
    } catch (...) {
      failure_ = at_(std::current_exception());
    }
    return made;
  }

  Pull<A> from_;
  Stage stage_;
  StageAt at_;
  bool ended_ = false;
  std::exception_ptr failure_;
};

/// Opens the stream that the stage makes from the items of another stream.
template <class A, class Stage>
Do<Pull<typename Stage::Item>> staged(const Do<Pull<A>>& open, Stage stage, StageAt at) {
  return open.map(
      [stage = std::move(stage), at](const Pull<A>& from) {
        return pulling<typename Stage::Item>(std::make_shared<Staged<A, Stage>>(from, stage, at), at);
      },
      at.location);
}

}  // namespace tapestry::detail
#pragma GCC visibility pop
