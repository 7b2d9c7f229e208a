// Defines await and operator!, with which a block of direct style on a fiber awaits programs, and the size of
// its stack.
#pragma once

#include <cstddef>

#include "tapestry/continuation/detail/awaitable.hpp"
#include "tapestry/continuation/direct_style.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// The size of the stack on which each run of a block [=] { ... } has its fiber, without its guard page: 128
/// KiB unless it was set. Stacks are kept for reuse: at most 32 for each thread, and 512 for all threads.
///
/// A block on a fiber, and the functions that it calls, may await programs. It starts on the run's thread,
/// and may continue on another thread after an await. So values that depend on the thread, such as the
/// address of a thread-local variable or std::this_thread::get_id(), must be read again, in a function of
/// their own.
std::size_t directStackSize() noexcept;

/// Sets the size, rounded up to whole pages, for all blocks of the process that begin afterwards. Can be
/// called on any thread, at any time. A stack uses memory for the pages that its blocks have touched; kept
/// stacks of another size are unmapped and not used again. A block whose stack cannot be mapped fails with
/// std::system_error, which in UnitContinuation stops the run. Throws std::invalid_argument below 16 KiB, and
/// from 2^60 bytes on.
void setDirectStackSize(std::size_t bytes);

namespace detail {

class Fiber;

/// The program that a block awaits. It lives on the block's own stack until it has ended.
struct Awaited {
  const void* program;
  FrameFunction* step;
  void (*push)(DirectBlock& block);
};

/// Its fiber runs only while a frame of its run does, on that frame's thread, so that awaited programs are
/// run by the same run and on the run's native stack. When the run is stopped, the fiber is entered once
/// more, and all its awaits throw.
class DirectBlock : public StoppableBlock {
 public:
  /// The block that runs on this thread, or null. Not to be inlined: a block may change threads in every
  /// await, and compilers assume that the address of a thread-local variable is constant within a function.
  [[gnu::noinline]] static DirectBlock* current() noexcept;
  /// As above. Throws std::logic_error outside of any block.
  static DirectBlock& checkedCurrent();

  /// Called in the program's step, which gives its reference to the block away.
  void begin(Run& run) { beginIn<DirectBlock>(run); }

  /// On the fiber: runs the program and returns its value, possibly on another thread. Throws Cancelled if
  /// the run is asked to stop, and the error that the run is stopped with.
  template <Program P>
  Stored<typename P::ValueType> await(const P& program) {
    using A = Stored<typename P::ValueType>;
    constexpr auto push = [](DirectBlock& block) { block.pushResume<DirectBlock, A, DirectBlock>(); };
    suspend({&program, stepBorrowed<P>, push});
    return run().take<A>();
  }

 protected:
  using StoppableBlock::StoppableBlock;

 private:
  friend class StoppableBlock;

  [[gnu::noinline]] void suspend(const Awaited& awaited);
  void proceed();
  static void resume(DirectBlock& block) { block.proceed(); }

  Fiber* fiber_ = nullptr;
  Awaited awaited_{};
};

template <class F>
class FiberCarrier : public DirectBlock {
 public:
  using Function = F;
  using Result = ResultOf<F, void>;

 protected:
  FiberCarrier(BlockScope* scope, const F& function) noexcept : DirectBlock(scope), function_(function) {}

  /// On the fiber.
  Stored<Result> result() const { return call<void>(function_, Unit{}); }

 private:
  const F& function_;
};

}  // namespace detail

/// In a block, or in a function called from a block: runs the program within the block's run, and returns its
/// value. Can await a program; a std::tuple or std::pair of awaitable parts, which run in parallel and give
/// the tuple or pair of their values; and an object with a function toProgram(const T&), found by
/// argument-dependent lookup, that returns a program.
///
/// Throws std::logic_error outside of blocks, in coroutines, which use co_await, and in a destructor that the
/// library calls. Not for destructors, which must not throw.
template <detail::Awaitable T>
auto await(const T& awaitable, detail::Location location = detail::Location::current()) {
  using Way = detail::Await<detail::AwaitedProgram<T>>;
  decltype(auto) program = detail::ToProgram<T>::of(awaitable, location);
  detail::DirectBlock& block = detail::DirectBlock::checkedCurrent();
  return Way::value(
      Way::scope(block), [&] { return block.await(Way::program(program)); }, location);
}

void await(...) = delete;  // expected a program, a tuple or pair of programs, or a type with toProgram(x)

/// The same as await, but dumpRuns and the traces of errors do not know its place.
template <detail::Awaitable T>
auto operator!(const T& awaitable) {
  return await(awaitable, {});
}

namespace detail {
// for argument-dependent lookup: the types of unerased programs are defined here
using tapestry::await;
using tapestry::operator!;
}  // namespace detail

}  // namespace tapestry
#pragma GCC visibility pop
