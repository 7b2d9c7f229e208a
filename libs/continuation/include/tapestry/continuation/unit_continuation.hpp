// Defines UnitContinuation, the erased type of all programs that yield an A and cannot fail.
#pragma once

#include <concepts>
#include <utility>

#include "tapestry/continuation/delay.hpp"
#include "tapestry/continuation/detail/flat_map.hpp"
#include "tapestry/continuation/detail/map.hpp"
#include "tapestry/continuation/named.hpp"
#include "tapestry/continuation/now.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace detail {

template <class P>
class ErasedProgram final : public ProgramNode {
 public:
  explicit ErasedProgram(P&& program) : program_(std::move(program)) {}
  template <class Make>
  explicit ErasedProgram(InPlace<Make> program) : program_(program.make()) {}

  void step(Run& run, Keeper::Raw keeper) const override { program_.step(run, keeper); }
  bool putAtOnce([[maybe_unused]] Run& run) const override {
    if constexpr (SyncProgram<P>) run.put<Stored<typename P::ValueType>>(program_.eval());
    return SyncProgram<P>;
  }

 private:
  P program_;
};

}  // namespace detail

/// A lazy, immutable description of an asynchronous computation that yields one A, which may be void; the
/// paper's (A => Trampoline[Unit]) => Trampoline[Unit]. Building, copying, moving and destroying it performs
/// no effect; each run performs them afresh. Copied in O(1), and usable from several threads at once.
///
/// A run is started by `onComplete` or `blockingAwait`. It ends with a value, or it is stopped: as cancelled,
/// or with BrokenCallback or ExecutorStopped. Functions given to it must not throw; an exception ends the
/// process.
template <class A>
class [[nodiscard("a program does nothing until it is run")]] UnitContinuation
    : public detail::ProgramOperations<UnitContinuation<A>> {
 public:
  using ValueType = A;

  /// Erases a program that yields A: one allocation from a pool. Its captures may be move-only.
  template <detail::ProgramOf<A> P>
    requires(!std::same_as<P, UnitContinuation>)
  UnitContinuation(P program) : node_(detail::makeRef<const detail::ErasedProgram<P>>(std::move(program))) {}

  explicit UnitContinuation(detail::Ref<const detail::ProgramNode> node) noexcept : node_(std::move(node)) {}

  const detail::Ref<const detail::ProgramNode>& node() const& noexcept { return node_; }
  detail::Ref<const detail::ProgramNode> node() && noexcept { return std::move(node_); }

  void step(detail::Run& run, detail::Keeper keeper) const {
    run.keep(std::move(keeper));
    run.next(*node_);
  }

 private:
  detail::Ref<const detail::ProgramNode> node_;
};

template <detail::Program P>
UnitContinuation(P) -> UnitContinuation<typename P::ValueType>;

namespace detail {

/// A UnitContinuation, or a Do.
template <class P>
concept Startable = requires(P program, void (*callback)(Outcome<typename P::ValueType>)) {
  std::move(program).onComplete(callback, StopToken());
};

/// A Do, or a UnitContinuation of any other program, for libraries that copy what they start.
template <class P>
struct StartedOf {
  using Type = P;
};
template <Program P>
struct StartedOf<P> {
  using Type = UnitContinuation<typename P::ValueType>;
};
template <class P>
using Started = typename StartedOf<P>::Type;

}  // namespace detail

}  // namespace tapestry
#pragma GCC visibility pop
