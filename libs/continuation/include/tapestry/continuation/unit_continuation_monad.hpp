// Defines UnitContinuationMonad, the tag of UnitContinuation for monad transformers.
#pragma once

#include <memory>

#include "tapestry/continuation/detail/return_then.hpp"
#include "tapestry/continuation/ensure.hpp"
#include "tapestry/continuation/mask.hpp"
#include "tapestry/continuation/monad/monad.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// The operations of Monad, implemented by those of UnitContinuation. The functions, which transformers pass,
/// must not throw.
struct UnitContinuationMonad {
  template <class A>
  using Type = UnitContinuation<A>;

  template <class A>
  static auto now(A value) {
    return tapestry::now(std::move(value));
  }
  template <detail::Program P, class F>
  static auto map(P program, F function) {
    return detail::Map<P, F, detail::Nowhere>(std::move(program), std::move(function), {});
  }
  template <detail::Program P, class F>
  static auto flatMap(P program, F function) {
    return detail::FlatMap<P, F, detail::Nowhere>(std::move(program), std::move(function), {});
  }
  // These construct the function make() within the erased program.
  template <detail::Program P, class Make>
  static auto mapMade(P program, const Make& make) {
    return made<detail::Map<P, std::invoke_result_t<const Make&>, detail::Nowhere>>(program, make);
  }
  template <detail::Program P, class Make>
  static auto flatMapMade(P program, const Make& make) {
    return made<detail::FlatMap<P, std::invoke_result_t<const Make&>, detail::Nowhere>>(program, make);
  }
  template <detail::Program P>
  static auto mask(P program) {
    return tapestry::mask(std::move(program));
  }
  template <detail::Program P>
  static auto onStop(P program, UnitContinuation<Errors> finalizer) {
    return tapestry::onStop(std::move(program), std::move(finalizer));
  }

  // for releases (tapestry/raii/resourcet/resource.hpp)
  /// Returns whether the value goes back to its source if no function gets it.
  static bool isReturn(const UnitContinuation<Errors>& release) noexcept {
    return release.node()->takeBack(nullptr, nullptr);
  }
  /// Gives the value back if isReturn(release); returns whether it has gone back.
  template <class A>
  static bool takeBack(const UnitContinuation<Errors>& release, A& value) noexcept {
    return release.node()->takeBack(std::addressof(value), &detail::valueKey<A>);
  }
  /// The release of a value that goes back, with that of the resources that are held beside the value.
  static UnitContinuation<Errors> returnThen(UnitContinuation<Errors> returning,
                                             UnitContinuation<Errors> rest) {
    return UnitContinuation<Errors>(detail::makeRef<detail::ReturnThen, const detail::ProgramNode>(
        std::move(returning), std::move(rest)));
  }
  /// Both releases, `returning` and `rest`, if returnThen has made this one; else null.
  static const detail::ReturnThen* partsOf(const UnitContinuation<Errors>& release) noexcept {
    return detail::ReturnThen::of(release);
  }

 private:
  template <class Made, class P, class Make>
  static auto made(P& source, const Make& make) {
    return UnitContinuation<typename Made::ValueType>(
        detail::makeRef<detail::ErasedProgram<Made>, const detail::ProgramNode>(
            std::move(source), detail::InPlace<Make>{make}, detail::Location()));
  }
};

static_assert(Monad<UnitContinuationMonad>);

}  // namespace tapestry
#pragma GCC visibility pop
