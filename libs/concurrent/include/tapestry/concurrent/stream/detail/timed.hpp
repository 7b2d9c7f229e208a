// Defines the stages of a stream that use the clock: chunk within a window, debounce and throttle.
#pragma once

#include <cstddef>
#include <exception>
#include <memory>
#include <optional>
#include <utility>
#include <variant>

#include "tapestry/concurrent/stream/detail/sender.hpp"
#include "tapestry/continuation/sleep_for.hpp"
#include "tapestry/raii/race.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

inline Do<Clock::TimePoint> timeOfRun() {
  return Do<Clock*>::lift(askClock()).map([](Clock* clock) { return clock->now(); });
}

/// The items of a stream that runs beside the consumer, at most one chunk ahead. An error of the stream
/// counts as its end, and `endedWith` passes it on.
template <class A>
class AheadItems : public Items<A> {
 public:
  AheadItems(const Channel<Chunk<A>>& channel, StageAt at)
      : Items<A>(receiveChunk(channel, at), at), at_(at) {}

  /// Yields whether items have arrived, and waits for more if there are none, until the time at the
  /// latest.
  Do<bool> ready(std::optional<Clock::TimePoint> time = {}) {
    if (this->hasNext() || failure_) return Do<bool>::now(this->hasNext());
    const auto receiving = Items<A>::ready().attempt().map([this](const Try<bool>& isReady) {
      failure_ = isReady.error();
      return !failure_ && isReady.get();
    });
    if (!time) return receiving;
    return tapestry::race(receiving, Do<void>::lift(sleepUntil(*time, at_.location)), at_.location)
        .map([](const auto& first) { return first.index() == 0 && std::get<0>(first); });
  }

  /// The last items that a stage gives; if it has none, the end of the stream or its error.
  template <class B>
  Pull<B> endedWith(Chunk<B> last) {
    if (last.empty() && failure_) return failed<Chunk<B>>(std::exchange(failure_, nullptr));
    return given(std::move(last));
  }

 private:
  StageAt at_;
  std::exception_ptr failure_;
};

/// Opens a stage that pulls by Stage::next(state), with a state constructed from (AheadItems<A>,
/// arguments...).
template <class Stage, class A, class... Arguments>
auto openAhead(const Do<Pull<A>>& open, StageAt at, Arguments... arguments) {
  using B = typename Stage::Item;
  return Do<Pull<B>>::suspend(
      [=] {
        const Channel<Chunk<A>> channel(0);
        auto state = std::make_shared<Stage>(AheadItems<A>(channel, at), arguments...);
        return produced<B>(
            channel, chunksAhead(open, channel, at),
            [state, at](const auto&) { return pulling<B>(state, at); }, at);
      },
      at.location);
}

/// Groups of up to `size` items; a group ends when the window has passed since its first item came.
template <class A>
class ChunkWithinStage {
 public:
  using Item = Chunk<A>;
  using Self = std::shared_ptr<ChunkWithinStage>;

  ChunkWithinStage(AheadItems<A> from, std::size_t size, Clock::Duration window)
      : from_(std::move(from)), size_(size), window_(window) {}

  static Pull<Item> next(const Self& self) {
    return self->from_.ready(self->end_).flatMap([self](bool ready) -> Pull<Item> {
      if (!ready) return self->from_.endedWith(self->takeGroup());
      return timeOfRun().flatMap([self](Clock::TimePoint now) -> Pull<Item> {
        if (!self->end_) self->end_ = later(now, self->window_);
        self->fill();
        if (self->group_.size() == self->size_ || now >= *self->end_) return given(self->takeGroup());
        return next(self);
      });
    });
  }

 private:
  void fill() {
    while (group_.size() != size_ && from_.hasNext()) group_.push_back(from_.take());
  }
  Chunk<Item> takeGroup() {
    end_.reset();
    Chunk<Item> groups;
    if (!group_.empty()) groups.push_back(std::exchange(group_, {}));
    return groups;
  }

  AheadItems<A> from_;
  std::size_t size_;
  Clock::Duration window_;
  Chunk<A> group_;
  std::optional<Clock::TimePoint> end_;
};

/// The last of the items that follow one another within the quiet time.
template <class A>
class DebounceStage {
 public:
  using Item = A;
  using Self = std::shared_ptr<DebounceStage>;

  DebounceStage(AheadItems<A> from, Clock::Duration quiet) : from_(std::move(from)), quiet_(quiet) {}

  static Pull<A> next(const Self& self) {
    return self->from_.ready(self->end_).flatMap([self](bool ready) -> Pull<A> {
      if (!ready) {
        self->end_.reset();
        Chunk<A> last;
        if (self->last_) last.push_back(*std::move(self->last_));
        self->last_.reset();
        return self->from_.endedWith(std::move(last));
      }
      self->last_.emplace(self->from_.takeLast());
      return timeOfRun().flatMap([self](Clock::TimePoint now) {
        self->end_ = later(now, self->quiet_);
        return next(self);
      });
    });
  }

 private:
  AheadItems<A> from_;
  Clock::Duration quiet_;
  std::optional<A> last_;
  std::optional<Clock::TimePoint> end_;
};

/// Items at least an interval apart.
template <class A>
class ThrottleStage {
 public:
  using Self = std::shared_ptr<ThrottleStage>;

  ThrottleStage(const Pull<A>& from, Clock::Duration interval, StageAt at)
      : items_(from, at), interval_(interval), at_(at) {}

  static Do<Pull<A>> opening(const Do<Pull<A>>& open, Clock::Duration interval, StageAt at) {
    return open.map(
        [interval, at](const Pull<A>& from) {
          return pulling<A>(std::make_shared<ThrottleStage>(from, interval, at), at);
        },
        at.location);
  }

  static Pull<A> next(const Self& self) {
    return self->items_.ready().flatMap(
        [self](bool ready) -> Pull<A> {
          if (!ready) return given(Chunk<A>());
          return timeOfRun().flatMap([self](Clock::TimePoint now) -> Pull<A> {
            if (self->next_ <= now) return self->take(now);
            // the run may be woken late, and then asks for the time again
            return Do<void>::lift(sleepUntil(self->next_, self->at_.location)).flatMap([self] {
              return next(self);
            });
          });
        },
        self->at_.location);
  }

 private:
  Pull<A> take(Clock::TimePoint now) {
    next_ = later(now, interval_);
    return given(chunkOf<A>(items_.take()));
  }

  Items<A> items_;
  Clock::Duration interval_;
  StageAt at_;
  Clock::TimePoint next_ = Clock::TimePoint::min();
};

}  // namespace tapestry::detail
#pragma GCC visibility pop
