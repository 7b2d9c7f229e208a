// Defines direct<Do>, by which programs that may fail and that hold resources are written in direct style,
// and directScoped, which releases at the end of the block.
#pragma once

#include <exception>
#include <optional>
#include <utility>

#include "tapestry/continuation/direct_style.hpp"
#include "tapestry/continuation/extend/awaitable.hpp"
#include "tapestry/raii/do.hpp"
#include "tapestry/raii/do_tuple2.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace detail {

/// The scope of a block of direct style that may fail: it holds the resources of the programs that the block
/// awaits.
class DoScope : public BlockScope {
 public:
  /// The scope of the block. Throws std::logic_error if the block is not one of direct<Do>.
  static DoScope& of(const StoppableBlock& block);

  /// Holds the resource, and returns the value or throws the error.
  template <class A>
  A hold(Resource<UnitContinuationMonad, Try<A>> acquired, const Location& location) {
    release_ = sequence<UnitContinuationMonad>(acquired.takeRelease(), std::move(release_));
    extend::notePlace(acquired.value.error(), "await", location);
    return std::move(acquired.value).valueOrThrow();
  }

 protected:
  /// The release of all resources, for the enclosing scope. To be called once.
  Release<UnitContinuationMonad> takeRelease() noexcept { return std::move(release_); }

  /// Releases everything, and stops the run with the errors.
  void stop(Run& run, Errors errors);

 private:
  Release<UnitContinuationMonad> release_;
};

/// A block with a DoScope; the carrier runs the function, on a fiber or as a coroutine.
template <class Carrier>
class DoBlock final : private DoScope, public Carrier {
  using A = typename Carrier::Result;

 public:
  using ValueType = typename Do<A>::Acquired;

  DoBlock(const typename Carrier::Function& function, const Location& location) noexcept
      : Carrier(static_cast<DoScope*>(this), function), location_(location) {}

 private:
  void body(Run& run) noexcept override {
    std::optional<Try<A>> result;
    try {
      result.emplace(Try<A>::success(this->result()));
    } catch (const Cancelled&) {
    } catch (...) {
      result.emplace(Try<A>::failure(extend::At{"direct", location_}(std::current_exception())));
    }
    end(run, std::move(result));
  }
  void refuse(Run& run, const std::exception_ptr& error) noexcept override {
    Errors errors;
    if (const auto before = this->takeThrown()) errors.append(before);
    errors.append(error);
    end(run, Try<A>::failure(errors.toException()));
  }
  void end(Run& run, std::optional<Try<A>>&& result) noexcept {
    if (result && !this->stopped()) return run.put(ValueType{*std::move(result), takeRelease()});
    Errors errors = this->takeStopped();
    if (result && result->error()) errors.append(result->error());
    stop(run, std::move(errors));
  }

  const Location location_;
};

}  // namespace detail

/// direct<Do>(block) is the Do<A> that calls the block in every run and yields its result; the block runs on
/// a fiber (tapestry/raii/direct/direct.hpp) or in a coroutine (tapestry/raii/coroutine/coroutine.hpp). In
/// addition to the rules in tapestry/continuation/direct_style.hpp:
///
/// - Awaiting a Do returns its value, or throws its error, which the block may catch. Awaiting a program that
///   cannot fail, but is stopped with an error such as BrokenCallback, throws that error as well.
/// - An exception that leaves the block is the error of the Do; Cancelled cancels the run.
/// - A block is not a scope. The resources of an awaited Do are held until the end of the scope that encloses
///   the resulting Do, as in flatMap: also when the block fails, and longer than the block's local variables.
///   They are released in reverse order. directScoped(block) releases them at the end of the block.
/// - The parts of a std::tuple or std::pair run in parallel as in tupleN: when one fails, the others are
///   cancelled.
template <>
struct DirectStyle<Do> {
  template <class Carrier>
  static auto make(typename Carrier::Function block, detail::Location location) {
    using Block = detail::DoBlock<Carrier>;
    return Do<typename Carrier::Result>(
        UnitContinuation<typename Block::ValueType>(detail::BlockProgram<Block>(std::move(block), location)));
  }
};

/// direct<Do>(block).run(): a block that is a scope. The resources of the programs that it has awaited are
/// released when it ends, in reverse order, before the value is yielded. So a block that is awaited in
/// another block, or is an element of a traversal, does not keep its resources.
template <class F>
  requires std::invocable<const F&>
[[nodiscard("a program does nothing until it is run")]] auto directScoped(
    F block, detail::Location location = detail::Location::current()) {
  return tapestry::direct<Do>(std::move(block), location).run();
}

void directScoped(...) = delete;  // expected a block that takes no argument, [=] { ... }, not mutable

namespace detail {

template <class A>
struct Await<Do<A>> {
  static DoScope& scope(const StoppableBlock& block) { return DoScope::of(block); }
  static const auto& program(const Do<A>& program) noexcept { return program.acquire(); }
  template <class Take>
  static A value(DoScope& scope, const Take& take, const Location& location) {
    return scope.hold<A>(take(), location);
  }
};

}  // namespace detail

}  // namespace tapestry
#pragma GCC visibility pop
