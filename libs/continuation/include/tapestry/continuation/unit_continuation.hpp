// Defines UnitContinuation, the erased type of all programs that yield an A and cannot fail.
#pragma once

#include <concepts>
#include <type_traits>
#include <utility>

#include "tapestry/continuation/delay.hpp"
#include "tapestry/continuation/detail/engine/finalize.hpp"
#include "tapestry/continuation/named.hpp"
#include "tapestry/continuation/now.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace detail {

/// `Where` is a Location, or Nowhere for functions that never throw.
template <class Source, class F, class Where>
class [[nodiscard("a program does nothing until it is run")]] Map
    : public ProgramOperations<Map<Source, F, Where>> {
  using A = typename Source::ValueType;

 public:
  using ValueType = ResultOf<F, A>;

  Map(Source&& source, F&& function, Location location)
      : source_(std::move(source)), function_(std::move(function)), location_(location) {}
  template <class Make>
  Map(Source&& source, InPlace<Make> function, Location location)
      : source_(std::move(source)), function_(function.make()), location_(location) {}

  Stored<ValueType> eval() const
    requires SyncProgram<Source>
  {
    return callNoThrow<A>("map", location_, function_, source_.eval());
  }

  void step(Run& run, Keeper keeper) const {
    if constexpr (SyncProgram<Source>) {
      stepAtOnce(*this, run);
    } else {
      run.push<&Map::resume>(this, std::move(keeper));
      source_.step(run, {});
    }
  }

 private:
  void resume(Run& run) const {
    run.put<Stored<ValueType>>(callNoThrow<A>("map", location_, function_, run.take<Stored<A>>()));
  }

  Source source_;
  F function_;
  [[no_unique_address]] Where location_;
};

/// `Where` as for Map.
template <class Source, class F, class Where>
class [[nodiscard("a program does nothing until it is run")]] FlatMap
    : public ProgramOperations<FlatMap<Source, F, Where>> {
  using A = typename Source::ValueType;
  using Next = ResultOf<F, A>;

 public:
  using ValueType = typename Next::ValueType;

  FlatMap(Source&& source, F&& function, Location location)
      : source_(std::move(source)), function_(std::move(function)), location_(location) {}
  template <class Make>
  FlatMap(Source&& source, InPlace<Make> function, Location location)
      : source_(std::move(source)), function_(function.make()), location_(location) {}

  void step(Run& run, Keeper keeper) const {
    if constexpr (SyncProgram<Source>) {
      if (stopsBefore<Stored<A>>(run))
        run.stop(Errors());
      else
        proceed(run, source_.eval());
      keeper.release();
    } else {
      run.push<&FlatMap::resume>(this, std::move(keeper));
      source_.step(run, {});
    }
  }

 private:
  void resume(Run& run) const { proceed(run, run.take<Stored<A>>()); }
  /// The run owns the next program, so that recursion through this function keeps neither frames nor nodes.
  void proceed(Run& run, Stored<A> value) const {
    if (run.stopRequested()) [[unlikely]]
      return cancelHolding(run, std::move(value));
    Next next = callNoThrow<A>("flatMap", location_, function_, std::move(value));
    if constexpr (isInstance<Now, Next>)
      run.put<Stored<ValueType>>(next.eval());  // without a check: it has no effect that a request prevents
    else if constexpr (SyncProgram<Next>)
      stepAtOnce(next, run);
    else
      run.next(UnitContinuation<ValueType>(std::move(next)).node());
  }

  Source source_;
  F function_;
  [[no_unique_address]] Where location_;
};

template <class P>
class ErasedProgram final : public ProgramNode {
 public:
  /// From a P, or from the arguments of one of its constructors; a node is never copied or moved.
  template <class... Parts>
  explicit ErasedProgram(Parts&&... parts) : program_(std::forward<Parts>(parts)...) {}

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
  using Erased = detail::Ref<const detail::ProgramNode>;

 public:
  using ValueType = A;

  /// Erases a program that yields A: one allocation from a pool. Its captures may be move-only.
  template <detail::ProgramOf<A> P>
    requires(!std::same_as<P, UnitContinuation>)
  UnitContinuation(P program)
      : node_(detail::makeRef<detail::ErasedProgram<P>, const detail::ProgramNode>(std::move(program))) {}

  explicit UnitContinuation(Erased node) noexcept : node_(std::move(node)) {}

  const Erased& node() const& noexcept { return node_; }
  Erased node() && noexcept { return std::move(node_); }

  void step(detail::Run& run, detail::Keeper keeper) const {
    run.keep(std::move(keeper));
    run.next(*node_);
  }

 private:
  Erased node_;
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
template <Startable P>
using Started = std::conditional_t<Program<P>, UnitContinuation<typename P::ValueType>, P>;

}  // namespace detail

}  // namespace tapestry
#pragma GCC visibility pop
