// Defines direct, await and operator!, by which programs are written in direct style: the paper's !-notation.
#pragma once

#include <cstddef>
#include <utility>

#include "tapestry/continuation/detail/direct_await.hpp"
#include "tapestry/continuation/unit_continuation.hpp"

namespace tapestry {

/// The size of the stack on which a block runs, without its guard page. Stacks are kept for reuse: at most 32
/// for each thread, and 512 besides.
inline constexpr std::size_t directStackBytes = std::size_t{128} * 1024;

/// How direct<M> makes an M; to be specialised for each M.
template <template <class> class M>
struct DirectStyle {
  static_assert(
      sizeof(M<void>*) == 0,
      "tapestry::direct: expected direct<UnitContinuation> or direct<Do> (tapestry/raii/direct.hpp)");
};

namespace detail {

template <class F>
class UnitBlock final : public DirectBlock {
 public:
  using Function = F;
  using ValueType = ResultOf<F, void>;

  UnitBlock(const F& function, Location location) noexcept
      : DirectBlock(StopErrors::final), function_(function), location_(location) {}

 private:
  void body(Run& run) noexcept override {
    try {
      auto value = call<void>(function_, Unit{});
      if (!stopped()) return run.put<Stored<ValueType>>(std::move(value));
    } catch (const Cancelled&) {
    } catch (...) {
      if (!isStop(std::current_exception())) functionThrew("direct", location_);
    }
    run.stop(takeStopped());
  }

  const F& function_;
  Location location_;
};

}  // namespace detail

template <>
struct DirectStyle<UnitContinuation> {
  template <class F>
  static auto make(F block, detail::Location location) {
    using Block = detail::UnitBlock<F>;
    return UnitContinuation<typename Block::ValueType>(
        detail::DirectProgram<Block>(std::move(block), location));
  }
};

/// direct<UnitContinuation>([=] { ... }) is the program, a UnitContinuation<A>, that calls the block in
/// every run and yields what it returns. The block, and the functions that it calls, may await programs.
/// Captures should be by value, since the program outlives the function that made it.
///
/// Each run of the block has a stack of its own (see directStackBytes). The block starts on the run's thread,
/// and may go on with another one after an await: what it knows of its thread, such as the address of a
/// thread-local variable or std::this_thread::get_id(), is to be read afresh, in a function of its own.
///
/// A block whose run is asked to stop, or stopped, is not abandoned: its await throws Cancelled, or the error
/// that the run was stopped with, and so does every later await. However the block ends then, the run goes on
/// stopping. In UnitContinuation any other exception that leaves the block ends the process.
template <template <class> class M, class F>
[[nodiscard]] auto direct(F block, detail::Location location = detail::Location::current()) {
  constexpr bool callable = std::invocable<const F&>;
  static_assert(callable, "tapestry::direct: expected a block that takes no argument, [=] { ... }");
  if constexpr (callable) return DirectStyle<M>::make(std::move(block), location);
}

/// In a block, or in a function called from one: runs the program within the block's run, and returns its
/// value. Can await programs; a std::tuple or std::pair of what it can await, in parallel, which gives the
/// tuple or pair of their values; and whatever has a function toProgram(const T&), found by
/// argument-dependent lookup, that gives a program.
///
/// Throws std::logic_error outside of blocks, and in a destructor that the library calls. Not for destructors
/// at all, which must not throw.
template <class T>
auto await(const T& awaitable) {
  constexpr bool canBeAwaited = detail::Awaitable<T>;
  static_assert(
      canBeAwaited,
      "tapestry::await: expected a program, a tuple or pair of programs, or a type with toProgram(x)");
  if constexpr (canBeAwaited) {
    decltype(auto) program = detail::ToProgram<T>::of(awaitable);
    return detail::Await<std::remove_cvref_t<decltype(program)>>::value(program);
  }
}

/// The same as await.
template <detail::Awaitable T>
auto operator!(const T& awaitable) {
  return await(awaitable);
}

namespace detail {
// for argument-dependent lookup: the types of unerased programs are defined here
using tapestry::await;
using tapestry::operator!;
}  // namespace detail

}  // namespace tapestry
