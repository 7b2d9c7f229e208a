// Defines Tape, the data of a differentiable and the backward path of its delta.
#pragma once

#include <concepts>
#include <optional>
#include <utility>

#include "tapestry/raii/do.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace detail {

struct NodeState;

/// The target of the deltas of a tape.
template <class Delta>
class TapeTarget : public ProgramNode {
 public:
  /// Returns whether a delta has any effect; if not, it need not be computed.
  virtual bool wantsDelta() const noexcept = 0;
  /// The node whose tape this is, in its pass; null for a user's own.
  virtual NodeState* source() const noexcept { return nullptr; }

  /// Takes a delta; returns a program that has to be run for this, or none.
  virtual std::optional<UnitContinuation<void>> send(Delta&& delta) = 0;
  /// Takes the delta that the program yields.
  virtual UnitContinuation<void> backward(const Do<Delta>& delta) = 0;
};

/// The target of a tape with a user's own `backward`.
template <class Delta, class F>
class FunctionTarget final : public TapeTarget<Delta> {
 public:
  explicit FunctionTarget(F function) : function_(std::move(function)) {}

  bool wantsDelta() const noexcept override { return true; }
  std::optional<UnitContinuation<void>> send(Delta&& delta) override {
    return function_(Do<Delta>::now(std::move(delta)));
  }
  UnitContinuation<void> backward(const Do<Delta>& delta) override { return function_(delta); }
  void step(Run& run, Keeper::Raw keeper) const override {
    run.put(Errors());
    static_cast<void>(Keeper(keeper));  // releases this
  }

 private:
  F function_;
};

}  // namespace detail

/// The paper's Tape (section 5): `data`, and `backward`, which takes a lazy delta, the derivative of the loss
/// with respect to the data. Several deltas add up. A tape is a resource: it is used within the scope that
/// acquired it. A delta sent after the release of the tape fails the pass while it lasts; a delta sent after
/// the pass has ended is ignored.
template <class DataT, class DeltaT>
class Tape {
 public:
  using Data = DataT;
  using Delta = DeltaT;

  Tape(Data value, detail::Ref<detail::TapeTarget<Delta>> target) noexcept
      : data(std::move(value)), target_(std::move(target)) {}

  /// A tape with a user's own backward function: backward(Do<Delta>) returns a UnitContinuation<void>.
  template <std::invocable<Do<Delta>> F>
  Tape(Data value, F backward)
      : Tape(std::move(value), detail::Ref<detail::TapeTarget<Delta>>(
                                   detail::makeRef<detail::FunctionTarget<Delta, F>>(std::move(backward)))) {}

  /// Sends a delta back. The program `delta` is not run if no node wants its value; if it fails, the pass
  /// fails.
  UnitContinuation<void> backward(const Do<Delta>& delta) const {
    if (!target_->wantsDelta()) return now();
    return target_->backward(delta);
  }

  /// The target of the deltas, for the engine.
  const detail::Ref<detail::TapeTarget<Delta>>& target() const noexcept { return target_; }

  Data data;

 private:
  detail::Ref<detail::TapeTarget<Delta>> target_;
};

}  // namespace tapestry
#pragma GCC visibility pop
