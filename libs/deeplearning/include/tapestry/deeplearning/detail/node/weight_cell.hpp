// Defines WeightCell, the value of a weight and its optimizer, as threads read and change them.
#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <thread>
#include <utility>

#include "tapestry/continuation/extend/wait_queue.hpp"
#include "tapestry/deeplearning/detail/node/held.hpp"
#include "tapestry/deeplearning/detail/node/trainable_node.hpp"
#include "tapestry/deeplearning/detail/racing.hpp"
#include "tapestry/deeplearning/optimizer.hpp"

namespace tapestry::detail {

/// Versions of the data share memory, which holds the version settled last.
template <class Data>
concept Settling = requires(const Data& data) {
  { data.settle() } noexcept;
};

/// Whether the steps of a weight are taken one after the other, each from a value that does not change, or in
/// place, whatever others do.
enum class Stepping : bool { serialised, racing };

/// Whether a step that adds this delta to data of this shape should be taken in place. Smaller data fits into
/// a cache together with its next value. Smaller products are not shared among threads, while several steps
/// are. In larger products memory traffic is a small part of the time, and readers would wait for long.
template <class T>
bool worthInPlace(const Shape& shape, const TensorDelta<T>& delta) {
  const std::size_t multiplications = shape.size() * delta.depth();
  return shape.size() >= 32 * 1024 && multiplications >= 1024 * 1024 && multiplications <= 16 * 1024 * 1024;
}

/// All functions are thread-safe. A user's write, of the value or of the optimizer, wins over a step that was
/// being prepared meanwhile. A read during a step in place waits for the end of the step.
template <class Data>
class WeightCell {
 public:
  using StepperRef = Ref<const Stepper<Data>>;

  WeightCell(Data initial, StepperRef stepper, Stepping stepping)
      : stepping_(stepping), value_(own(std::move(initial))), stepper_(std::move(stepper)) {}

  bool serialised() const noexcept { return stepping_ == Stepping::serialised; }

  /// The value that a pass computes with; that of a weight whose steps are racing changes.
  Held<Data> live() const {
    return whenWhole([this] { return value_; });
  }
  /// The same, or none while a step is taken in place.
  Held<Data> liveIfWhole() const {
    const SpinGuard guard(lock_);
    return value_;
  }

  /// The value, and the optimizer with what it has learnt, of one moment.
  std::pair<Held<Data>, StepperRef> snapshot() const {
    auto both = whenWhole([this] { return std::pair(value_, stepper_); });
    if constexpr (Racing<Data>)
      if (!serialised()) both.first.emplace(separate(*std::as_const(both.first)));
    return both;
  }

  void write(Data value) {
    Held<Data> written(own(std::move(value)));
    const SpinGuard guard(lock_);
    std::swap(value_, written);
    ++writes_;
  }

  void replace(StepperRef stepper) noexcept {
    const SpinGuard guard(lock_);
    std::swap(stepper_, stepper);
  }

  /// Sets the value, and the optimizer unless it is null, when it is committed; keeps `owner`, of which this
  /// is a part, alive.
  std::unique_ptr<PreparedStep> prepareWrite(Ref<Node> owner, Data value, StepperRef stepper) {
    return std::make_unique<Write>(*this, std::move(owner), own(std::move(value)), std::move(stepper));
  }

  std::unique_ptr<PreparedStep> prepareStep(GradientOf<Data> gradient) {
    Held<Data> before;
    StepperRef stepper;
    std::uint64_t writes = 0;
    {
      const SpinGuard guard(lock_);
      before = value_;
      stepper = stepper_;
      writes = writes_;
    }
    if constexpr (Racing<Data>)
      if (!serialised()) {
        auto change = changeOf(*stepper, *before, std::move(gradient));
        return std::make_unique<Addition>(*this, std::move(change), std::move(stepper), writes);
      }
    if constexpr (isTensor<Data>)
      if (worthInPlace((*before).shape(), gradient) && gradient.becomeProductOnto((*before).shape()))
        if (auto multiple = stepper->multiple())
          return std::make_unique<InPlace>(*this, std::move(*multiple), std::move(gradient),
                                           std::move(stepper), writes);
    auto stepped = stepper->step(*before, std::move(gradient));
    if constexpr (HasShape<Data>) requireShape(stepped.weight.shape(), (*before).shape());
    return std::make_unique<Step>(*this, std::move(stepped), std::move(stepper), writes);
  }

 private:
  class Step;
  class InPlace;
  class Addition;
  class Write;

  /// What `read` gives, with the lock held, at a moment when no step is being taken in place.
  template <class F>
  auto whenWhole(const F& read) const {
    for (;; std::this_thread::yield()) {
      const SpinGuard guard(lock_);
      if (value_) return read();
    }
  }

  /// A value that only this cell changes.
  Data own(Data value) const {
    if constexpr (Racing<Data>)
      if (!serialised()) return asLive(value);
    return value;
  }

  /// With the lock held: the next state of the optimizer, unless a user has set another meanwhile.
  bool learn(const StepperRef& from, StepperRef& next) noexcept {
    if (stepper_ != from) return false;
    std::swap(stepper_, next);
    return true;
  }

  const Stepping stepping_;
  mutable SpinLock lock_;     ///< guards what follows
  Held<Data> value_;          ///< none while a step is taken in place
  std::uint64_t writes_ = 0;  ///< of a user, not of steps
  StepperRef stepper_;
};

template <class Data>
class WeightCell<Data>::Step final : public PreparedStep {
 public:
  Step(WeightCell& cell, Stepped<Data> stepped, StepperRef from, std::uint64_t writes)
      : cell_(cell),
        value_(std::move(stepped.weight)),
        next_(std::move(stepped.next)),
        from_(std::move(from)),
        writes_(writes) {}

  void commit() noexcept override {
    if constexpr (Settling<Data>) {
      const auto taken = value_;
      const auto learnt = next_;
      const auto [takes, learns] = swap();
      if (takes) taken->settle();
      if (learns) learnt->settle();
    } else {
      swap();
    }
  }

 private:
  struct Swapped {
    bool value;
    bool stepper;
  };
  Swapped swap() noexcept {
    const SpinGuard guard(cell_.lock_);
    const bool takes = cell_.writes_ == writes_;
    if (takes) std::swap(cell_.value_, value_);
    return {takes, cell_.learn(from_, next_)};
  }

  WeightCell& cell_;
  Held<Data> value_;
  StepperRef next_;
  const StepperRef from_;
  const std::uint64_t writes_;
};

/// A step of a large tensor, which is taken at the commit: in place where no other handle has the value,
/// else to memory that was set aside. Nothing in it can fail.
template <class Data>
class WeightCell<Data>::InPlace final : public PreparedStep {
 public:
  InPlace(WeightCell& cell, Multiple<Data> step, GradientOf<Data> gradient, StepperRef from,
          std::uint64_t writes)
      : cell_(cell),
        gradient_(std::move(gradient)),
        spare_(Data::uninitialized(gradient_.shape())),
        step_(std::move(step)),
        from_(std::move(from)),
        writes_(writes) {}

  void commit() noexcept override {
    Held<Data> before;
    bool alone = false;
    {
      const SpinGuard guard(cell_.lock_);
      if (cell_.writes_ != writes_) return static_cast<void>(cell_.learn(from_, step_.next));
      alone = (*cell_.value_).unique();
      if (alone)
        std::swap(before, cell_.value_);
      else
        before = cell_.value_;
    }
    Held<Data>& after = alone ? before : spare_;
    gradient_.addOnto(*before, static_cast<ElementOf<Data>>(step_.factor), *after);
    const SpinGuard guard(cell_.lock_);
    static_cast<void>(cell_.learn(from_, step_.next));
    if (cell_.writes_ == writes_) std::swap(cell_.value_, after);
  }

 private:
  WeightCell& cell_;
  GradientOf<Data> gradient_;
  Held<Data> spare_;
  Multiple<Data> step_;
  const StepperRef from_;
  const std::uint64_t writes_;
};

/// A step in place. If several steps begin from one optimizer state, the first to commit sets the next state.
template <class Data>
class WeightCell<Data>::Addition final : public PreparedStep {
 public:
  Addition(WeightCell& cell, Change<Data> change, StepperRef from, std::uint64_t writes)
      : cell_(cell), change_(std::move(change)), from_(std::move(from)), writes_(writes) {}

  void commit() noexcept override {
    const auto learnt = change_.next;
    bool learns = false;
    Held<Data> live;
    {
      const SpinGuard guard(cell_.lock_);
      if (cell_.writes_ == writes_) {
        if constexpr (std::floating_point<Data>)
          addInPlace(*cell_.value_, change_.difference);
        else
          live = cell_.value_;
      }
      learns = cell_.learn(from_, change_.next);
    }
    if (live) addInPlace(*live, change_.difference);
    if constexpr (Settling<Data>)
      if (learns) learnt->settle();
  }

 private:
  WeightCell& cell_;
  Change<Data> change_;
  const StepperRef from_;
  const std::uint64_t writes_;
};

template <class Data>
class WeightCell<Data>::Write final : public PreparedStep {
 public:
  Write(WeightCell& cell, Ref<Node> owner, Data value, StepperRef stepper)
      : cell_(cell), owner_(std::move(owner)), value_(std::move(value)), stepper_(std::move(stepper)) {}

  void commit() noexcept override {
    const SpinGuard guard(cell_.lock_);
    std::swap(cell_.value_, value_);
    if (stepper_) std::swap(cell_.stepper_, stepper_);
    ++cell_.writes_;
  }

 private:
  WeightCell& cell_;
  const Ref<Node> owner_;
  Held<Data> value_;
  StepperRef stepper_;
};

}  // namespace tapestry::detail
