// Defines ResourceT, the monad transformer for scoped release, and MonadWithoutErrors.
#pragma once

#include <concepts>
#include <exception>
#include <utility>

#include "tapestry/continuation/extend/function.hpp"
#include "tapestry/raii/resourcet/resource.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// A monad whose computations cannot fail: it has no raiseError, which TryT has.
template <class M>
concept MonadWithoutErrors = Monad<M> && !requires { M::template raiseError<Unit>(std::exception_ptr()); };

namespace detail {

/// The result of a step, and the release of its source, which has to run at once.
template <Monad M, class A>
struct AfterSource {
  Resource<M, A> result;
  typename M::template Type<Errors> releaseSource;

  /// Releases both, as if they were in one scope.
  typename M::template Type<Errors> abandon() {
    return *sequence<M>(Release<M>(result.abandon()), std::move(releaseSource));
  }
  Errors errors() const { return result.errors(); }
};

}  // namespace detail

/// ResourceT<M>::Type<A> wraps an M::Type<Resource<M, A>> (RAII.scala's ResourceT). Resources stay until the
/// end of the scope, which is `run`, and are released there in reverse order. Functions must not throw. For
/// errors there is TryT<ResourceT<M>>: a failure of M would drop a value with its release.
template <MonadWithoutErrors M>
struct ResourceT {
  template <class A>
  class [[nodiscard("a program does nothing until it is run")]] Type {
   public:
    using ValueType = A;
    using Wrapped = typename M::template Type<Resource<M, A>>;

    explicit Type(Wrapped wrapped) : wrapped_(std::move(wrapped)) {}

    /// The value with its release, which the caller has to run.
    const Wrapped& acquire() const& noexcept { return wrapped_; }
    Wrapped acquire() && noexcept { return std::move(wrapped_); }

   private:
    Wrapped wrapped_;
  };

  template <class A>
  static Type<A> now(A value) {
    return Type<A>(M::now(Resource<M, A>{std::move(value), {}}));
  }

  /// A computation of M, with nothing to release.
  template <class A>
  static Type<A> lift(typename M::template Type<A> computation) {
    return Type<A>(M::map(std::move(computation), [](A value) {
      return Resource<M, A>{std::move(value), {}};
    }));
  }

  template <class A, class F>
  static auto map(Type<A> source, F function) {
    return mapMade(std::move(source), detail::Moving<F>{function});
  }
  template <class A, class Make>
  static auto mapMade(Type<A> source, const Make& make) {
    using B = detail::ResultOf<std::invoke_result_t<const Make&>, A>;
    return Type<B>(detail::mapMade<M>(std::move(source).acquire(), [&make] {
      return [function = make()](Resource<M, A> resource) {
        auto release = resource.takeReleaseOfValue();
        return Resource<M, B>{function(std::move(resource.value)), std::move(release)};
      };
    }));
  }

  template <class A, class F>
  static auto flatMap(Type<A> source, F function) {
    return flatMapMade(std::move(source), detail::Moving<F>{function});
  }
  template <class A, class Make>
  static auto flatMapMade(Type<A> source, const Make& make) {
    using Next = detail::ResultOf<std::invoke_result_t<const Make&>, A>;
    using Wrapped = typename Next::Wrapped;
    return Next(detail::flatMapMade<M>(std::move(source).acquire(), [&make] {
      return [function = make()](Resource<M, A> resource) -> Wrapped {
        auto release = resource.takeReleaseOfValue();
        return holding(std::move(release), function(std::move(resource.value)).acquire());
      };
    }));
  }

  /// As flatMap if the value meets the condition. Otherwise yields the value as if no function had got it.
  template <class A, class P, class F>
  static Type<A> flatMapIf(Type<A> source, P condition, F function) {
    return Type<A>(detail::flatMapIf<M>(
        std::move(source).acquire(),
        [condition = std::move(condition)](const Resource<M, A>& resource) {
          return condition(resource.value);
        },
        [function = std::move(function)](Resource<M, A> resource) {
          auto release = resource.takeRelease();
          return holding(std::move(release), function(std::move(resource.value)).acquire());
        }));
  }

  /// As flatMap, but the source is released, masked, as soon as the function's computation has its result,
  /// whose own release is left. Errors of the source's release are added to the result by `value.absorb`, or,
  /// if it has no absorb, come first in its own release.
  template <class A, class F>
  static auto intransitiveFlatMap(Type<A> source, F function) {
    using Next = detail::ResultOf<F, A>;
    using Wrapped = typename Next::Wrapped;
    using B = typename Next::ValueType;
    return Next(M::flatMap(std::move(source).acquire(),
                           [function = std::move(function)](Resource<M, A> resource) -> Wrapped {
                             auto release = resource.takeRelease();
                             auto next = function(std::move(resource.value)).acquire();
                             if (!release) return next;
                             return releasedAfter<B>(std::move(next), *std::move(release));
                           }));
  }

  /// As map, but the source is released, masked, as soon as the function has returned.
  template <class A, class F>
  static auto intransitiveMap(Type<A> source, F function) {
    using B = detail::ResultOf<F, A>;
    return lift<B>(run(map(std::move(source), std::move(function))));
  }

  /// The scope: acquires, takes the value, and releases. Errors of the release are added to the value by
  /// `value.absorb`, or appended if the value is an Errors itself, and else thrown.
  template <class A>
  static typename M::template Type<A> run(Type<A> source) {
    using Result = typename M::template Type<A>;
    return M::flatMap(std::move(source).acquire(), [](Resource<M, A> resource) -> Result {
      auto release = resource.takeRelease();
      if (!release) return detail::give<M>(std::move(resource.value));
      return M::map(M::mask(*std::move(release)),
                    [once = detail::Once<A>(std::move(resource.value))](const Errors& errors) {
                      return absorb(once.take(), errors);
                    });
    });
  }

  template <class A>
  static Type<A> mask(Type<A> source) {
    return Type<A>(M::mask(std::move(source).acquire()));
  }

  template <class A>
  static Type<A> onStop(Type<A> source, Type<Errors> finalizer) {
    return Type<A>(M::onStop(std::move(source).acquire(), run(std::move(finalizer))));
  }

 private:
  /// The next computation, with the pending release of an earlier computation after its own release.
  template <class Wrapped>
  static Wrapped holding(Release<M> pending, Wrapped next) {
    if (!pending) return next;
    auto release = *std::move(pending);
    auto handOver = [release](auto resource) {
      resource.release = sequence<M>(std::move(resource.release), release);
      return resource;
    };
    return M::onStop(M::map(std::move(next), std::move(handOver)), std::move(release));
  }

  /// The next computation, and then the release of its source.
  template <class B>
  static auto releasedAfter(typename Type<B>::Wrapped next, typename M::template Type<Errors> release) {
    using Both = detail::AfterSource<M, B>;
    typename M::template Type<Both> both = M::onStop(M::map(std::move(next),
                                                            [release](Resource<M, B> result) {
                                                              return Both{std::move(result), release};
                                                            }),
                                                     release);
    return M::flatMap(std::move(both), [](Both ended) -> typename Type<B>::Wrapped {
      return M::map(M::mask(std::move(ended.releaseSource)),
                    [once = detail::Once<Resource<M, B>>(std::move(ended.result))](const Errors& errors) {
                      return afterRelease(once.take(), errors);
                    });
    });
  }

  template <class B>
  static Resource<M, B> afterRelease(Resource<M, B> result, const Errors& errors) {
    if constexpr (requires { result.value.absorb(errors); })
      result.absorb(errors);
    else if (!errors.empty())
      result.release = sequence<M>(Release<M>(M::now(errors)), std::move(result.release));
    return result;
  }

  template <class A>
  static A absorb(A value, const Errors& errors) {
    if constexpr (requires { value.absorb(errors); })
      value.absorb(errors);
    else if constexpr (std::same_as<A, Errors>)
      value.append(errors);
    else if (!errors.empty())
      std::rethrow_exception(errors.toException());
    return value;
  }
};

}  // namespace tapestry
#pragma GCC visibility pop
