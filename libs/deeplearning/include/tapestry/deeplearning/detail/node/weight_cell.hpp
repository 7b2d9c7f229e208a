// Defines WeightCell, the value of a weight and its optimizer, as threads read and change them.
#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <utility>

#include "tapestry/continuation/extend/wait_queue.hpp"
#include "tapestry/deeplearning/detail/node/held.hpp"
#include "tapestry/deeplearning/detail/node/trainable_node.hpp"
#include "tapestry/deeplearning/detail/racing.hpp"
#include "tapestry/deeplearning/optimizer.hpp"
#include "tapestry/tensor/kernels/product_cost.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// Versions of the data share memory, which holds the version settled last.
template <class Data>
concept Settling = requires(const Data& data) {
  { data.settle() } noexcept;
};

/// Whether the steps of a weight are taken one after the other, each from a value that does not change, or in
/// place, at the same time as others.
enum class Stepping : bool { serialised, racing };

/// Whether a step that adds this delta to data of this shape should be taken in place
/// (docs/decisions/two-phase-steps.md). Smaller data fits into a cache together with its next value. Smaller
/// products are not shared among threads, while several steps are. In larger products memory traffic is a
/// small part of the time, and readers would wait for long.
template <class T>
bool worthInPlace(const Shape& shape, const TensorDelta<T>& delta) {
  const std::size_t multiplications = shape.size() * delta.depth();
  return shape.size() >= 32 * 1024 && multiplications >= kernels::ProductCost::shared &&
         multiplications <= 16 * kernels::ProductCost::shared;
}

/// All functions are thread-safe. A user's write, of the value or of the optimizer, wins over a step that was
/// being prepared meanwhile. A read during a step in place waits for the end of the step.
template <class Data>
class WeightCell {
 public:
  using StepperRef = Ref<const Stepper<Data>>;

  WeightCell(Data initial, StepperRef stepper, Stepping stepping)
      : stepping_(stepping), value_(own(std::move(initial))), stepper_(std::move(stepper)) {}

  /// Returns the value that a pass computes with, or none while a step is taken in place; the value of a
  /// weight with racing steps changes meanwhile.
  Held<Data> live() const {
    const SpinGuard guard(lock_);
    return value_;
  }

  /// Returns the value and the optimizer with its state, as of one moment.
  std::pair<Held<Data>, StepperRef> snapshot() const {
    std::pair<Held<Data>, StepperRef> both;
    for (;; SpinLock::pause()) {
      const SpinGuard guard(lock_);
      both = {value_, stepper_};
      if (both.first) break;
    }
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

  /// Sets the value, and the optimizer unless it is null. Keeps `owner`, which this is a part of, alive.
  std::unique_ptr<Update> prepareWrite(Ref<Node> owner, Data value, StepperRef stepper) {
    return updateBy([this, owner = std::move(owner), written = Held<Data>(own(std::move(value))),
                     stepper = std::move(stepper)]() mutable noexcept {
      const SpinGuard guard(lock_);
      std::swap(value_, written);
      if (stepper) std::swap(stepper_, stepper);
      ++writes_;
    });
  }

  /// Computes the step that the optimizer takes for the gradient. Throws the exceptions of the optimizer's
  /// rule.
  std::unique_ptr<Update> prepareStep(GradientOf<Data> gradient) {
    Held<Data> before;
    Origin origin;
    {
      const SpinGuard guard(lock_);
      before = value_;
      origin = {stepper_, writes_};
    }
    if constexpr (Racing<Data>)
      if (!serialised()) return addition(*before, std::move(gradient), std::move(origin));
    if constexpr (isHostTensor<Data>)
      if (worthInPlace((*before).shape(), gradient) && gradient.becomeProductOnto((*before).shape()))
        if (auto multiple = origin.stepper->multiple())
          return productInPlace(std::move(gradient), std::move(*multiple), std::move(origin));
    return replacement(*before, std::move(gradient), std::move(origin));
  }

 private:
  /// The optimizer and the number of writes that a step began from.
  struct Origin {
    StepperRef stepper;
    std::uint64_t writes = 0;
  };

  bool serialised() const noexcept { return stepping_ == Stepping::serialised; }

  std::unique_ptr<Update> replacement(const Data& before, GradientOf<Data> gradient, Origin origin) {
    auto stepped = origin.stepper->step(before, std::move(gradient));
    if constexpr (HasShape<Data>) requireShape(stepped.weight.shape(), before.shape());
    std::optional<Do<void>> issued;  // computes the value, so that it does not keep what it is made of
    if constexpr (OwnKernels<Data>) issued = stepped.weight.issued();
    auto commit = [this, value = Held<Data>(std::move(stepped.weight)), next = std::move(stepped.next),
                   origin = std::move(origin)]() mutable noexcept {
      if constexpr (Settling<Data>) {
        const auto taken = value;
        const auto learnt = next;
        const auto [takes, learns] = take(value, next, origin);
        if (takes) taken->settle();
        if (learns) learnt->settle();
      } else {
        take(value, next, origin);
      }
    };
    return updateBy(std::move(commit), std::move(issued));
  }

  /// A step of a large tensor, which is computed at the commit: in place if no other handle has the value,
  /// else in memory that was set aside. Nothing in the commit can fail.
  std::unique_ptr<Update> productInPlace(GradientOf<Data> gradient, Multiple<Data> step, Origin origin) {
    Held<Data> spare(Data::uninitialized(gradient.shape()));
    return updateBy([this, gradient = std::move(gradient), spare = std::move(spare), step = std::move(step),
                     origin = std::move(origin)]() mutable noexcept {
      Held<Data> before;
      bool alone = false;
      {
        const SpinGuard guard(lock_);
        if (writes_ != origin.writes) return static_cast<void>(learn(origin, step.next));
        alone = (*value_).unique();
        if (alone)
          std::swap(before, value_);
        else
          before = value_;
      }
      Held<Data>& after = alone ? before : spare;
      gradient.addOnto(*before, static_cast<ElementOf<Data>>(step.factor), *after);
      take(after, step.next, origin);
    });
  }

  /// A step in place, at the same time as other passes. If several steps begin from one optimizer state, the
  /// first to commit sets the next state.
  std::unique_ptr<Update> addition(const Data& before, GradientOf<Data> gradient, Origin origin) {
    return updateBy([this, change = changeOf(*origin.stepper, before, std::move(gradient)),
                     origin = std::move(origin)]() mutable noexcept {
      const auto learnt = change.next;
      bool learns = false;
      Held<Data> live;
      {
        const SpinGuard guard(lock_);
        if (writes_ == origin.writes) {
          if constexpr (std::floating_point<Data>)
            addInPlace(*value_, change.difference);
          else
            live = value_;
        }
        learns = learn(origin, change.next);
      }
      if (live) addInPlace(*live, change.difference);
      if constexpr (Settling<Data>)
        if (learns) learnt->settle();
    });
  }

  /// Returns a value that only this cell changes.
  Data own(Data value) const {
    if constexpr (Racing<Data>)
      if (!serialised()) return asLive(value);
    return value;
  }

  /// Takes the value unless a user has written another meanwhile, and the optimizer's next state; returns
  /// which of the two were taken.
  std::pair<bool, bool> take(Held<Data>& value, StepperRef& next, const Origin& origin) noexcept {
    const SpinGuard guard(lock_);
    const bool takes = writes_ == origin.writes;
    if (takes) std::swap(value_, value);
    return {takes, learn(origin, next)};
  }

  /// With the lock held: takes the next state of the optimizer, unless a user has set another optimizer
  /// meanwhile.
  bool learn(const Origin& origin, StepperRef& next) noexcept {
    if (stepper_ != origin.stepper) return false;
    std::swap(stepper_, next);
    return true;
  }

  const Stepping stepping_;
  mutable SpinLock lock_;     ///< guards the members below
  Held<Data> value_;          ///< none while a step is taken in place
  std::uint64_t writes_ = 0;  ///< the number of writes by a user; steps are not counted
  StepperRef stepper_;
};

}  // namespace tapestry::detail
#pragma GCC visibility pop
