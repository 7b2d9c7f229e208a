// Defines TryT, the monad transformer that adds errors to a monad.
#pragma once

#include <utility>

#include "tapestry/continuation/monad/monad.hpp"
#include "tapestry/raii/tryt/try.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// TryT<M>::Type<A> wraps an M::Type<Try<A>> (RAII.scala's TryT). An exception that a function throws becomes
/// the error of its step. A location is the place in the user's source that calls the operation, for the
/// traces of errors. mapMade and flatMapMade are map and flatMap for the function make().
template <Monad M>
struct TryT {
  template <class A>
  class [[nodiscard("a program does nothing until it is run")]] Type {
   public:
    using ValueType = A;
    using Wrapped = typename M::template Type<Try<A>>;

    explicit Type(Wrapped wrapped) : wrapped_(std::move(wrapped)) {}

    const Wrapped& unwrap() const& noexcept { return wrapped_; }
    Wrapped unwrap() && noexcept { return std::move(wrapped_); }

   private:
    Wrapped wrapped_;
  };

  template <class A>
  static Type<A> now(A value) {
    return Type<A>(M::now(Try<A>::success(std::move(value))));
  }

  template <class A>
  static Type<A> raiseError(std::exception_ptr error, std::source_location location = {}) {
    return Type<A>(M::map(M::now(Unit{}), [error = std::move(error), location](Unit) {
      return Try<A>::failure(extend::At{"raiseError", location}(error));
    }));
  }

  /// A computation of M, which has no errors.
  template <class A>
  static Type<A> lift(typename M::template Type<A> computation) {
    return Type<A>(M::map(std::move(computation), [](A value) { return Try<A>::success(std::move(value)); }));
  }

  template <class A, class F>
  static auto map(Type<A> source, F function, std::source_location location = {}) {
    return mapMade(std::move(source), detail::Moving<F>{function}, location);
  }
  template <class A, class Make>
  static auto mapMade(Type<A> source, const Make& make, std::source_location location) {
    using B = detail::ResultOf<std::invoke_result_t<const Make&>, A>;
    return Type<B>(detail::mapMade<M>(std::move(source).unwrap(), [&] {
      return [function = make(), location](Try<A> value) {
        const extend::At place{"map", location};
        if (!value.hasValue()) return Try<B>::failure(place(std::move(value).error()));
        const auto apply = [&]() -> B {
          if constexpr (std::is_void_v<A>)
            return function();
          else
            return function(std::move(value.get()));
        };
        return Try<B>::of(apply, place);
      };
    }));
  }

  template <class A, class F>
  static auto flatMap(Type<A> source, F function, std::source_location location = {}) {
    return flatMapMade(std::move(source), detail::Moving<F>{function}, location);
  }
  template <class A, class Make>
  static auto flatMapMade(Type<A> source, const Make& make, std::source_location location) {
    using B = typename detail::ResultOf<std::invoke_result_t<const Make&>, A>::ValueType;
    return Type<B>(
        detail::flatMapMade<M>(std::move(source).unwrap(), [&] { return ifValue<A, B>(make, location); }));
  }

  /// As flatMap, for an M that has it, such as ResourceT.
  template <class A, class F>
  static auto intransitiveFlatMap(Type<A> source, F function, std::source_location location = {}) {
    using B = typename detail::ResultOf<F, A>::ValueType;
    return Type<B>(M::intransitiveFlatMap(std::move(source).unwrap(),
                                          ifValue<A, B>(detail::Moving<F>{function}, location)));
  }

  /// Continues with handler(error) if the source fails.
  template <class A, class F>
  static Type<A> handleError(Type<A> source, F handler, std::source_location location = {}) {
    return Type<A>(detail::flatMapIf<M>(
        std::move(source).unwrap(), [](const Try<A>& value) { return !value.hasValue(); },
        [handler = std::move(handler), location](const Try<A>& value) {
          return guarded<A>([&] { return handler(value.error()); }, {"handleError", location});
        }));
  }

  /// Yields the value or the error, and does not fail.
  template <class A>
  static Type<Try<A>> attempt(Type<A> source) {
    return Type<Try<A>>(M::map(std::move(source).unwrap(),
                               [](Try<A> value) { return Try<Try<A>>::success(std::move(value)); }));
  }

  template <class A>
  static Type<A> mask(Type<A> source) {
    return Type<A>(M::mask(std::move(source).unwrap()));
  }

  template <class A>
  static Type<A> onStop(Type<A> source, Type<Errors> finalizer) {
    return Type<A>(
        M::onStop(std::move(source).unwrap(), M::map(std::move(finalizer).unwrap(), [](Try<Errors> errors) {
                    return errors.hasValue() ? errors.get() : Errors(errors.error());
                  })));
  }

 private:
  /// Continues with the function make() of the value, or with the failure.
  template <class A, class B, class Make>
  static auto ifValue(const Make& make, std::source_location location) {
    return [function = make(), location](Try<A> value) -> typename Type<B>::Wrapped {
      const extend::At place{"flatMap", location};
      if (!value.hasValue()) return failed<B>(place(std::move(value).error()));
      return guarded<B>([&] { return detail::call<A>(function, std::move(value.get())); }, place);
    };
  }

  /// The computation that the function returns, or the error that it throws.
  template <class B, class F>
  static typename Type<B>::Wrapped guarded(const F& function, const extend::At& place) {
    try {
      return function().unwrap();
    } catch (...) {
      return failed<B>(place(std::current_exception()));
    }
  }

  /// Makes the failure afresh in every run, since B need not be copyable.
  template <class B>
  static auto failed(std::exception_ptr error) {
    return M::map(M::now(Unit{}), [error = std::move(error)](Unit) { return Try<B>::failure(error); });
  }
};

}  // namespace tapestry
#pragma GCC visibility pop
