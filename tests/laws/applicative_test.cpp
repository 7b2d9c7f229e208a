#include <algorithm>

#include "laws/laws.hpp"

using namespace tapestry;
using namespace tapestry::test;

namespace {

struct InSequence {
  template <class FA, class FB>
  auto operator()(const FA& fa, const FB& fb) const {
    return tuple2(fa, fb);
  }
};

struct InParallel {
  template <class FA, class FB>
  auto operator()(const FA& fa, const FB& fb) const {
    return tuple2(parallel(fa), parallel(fb));
  }
};

template <class M>
struct OfMonad {
  template <class FA, class FB>
  auto operator()(const FA& fa, const FB& fb) const {
    return tuple2<M>(fa, fb);
  }
};

template <class M>
struct See {
  template <class A>
  std::string operator()(const typename M::template Type<A>& computation) const {
    return observe<M, A>(computation);
  }
};

/// How a computation ends and what it does, in order.
struct SeeOrder {
  template <template <class> class T, class A>
  std::string operator()(const T<A>& computation) const {
    return observe<std::conditional_t<std::is_same_v<T<A>, Do<A>>, DoMonad, UnitContinuationMonad>, A>(
        computation);
  }
};

/// Parallel releases have no order.
struct SeeEffects {
  template <template <class> class T, class A>
  std::string operator()(const T<A>& computation) const {
    std::string seen = SeeOrder()(computation);
    std::sort(seen.begin(), seen.end());
    return seen;
  }
};

}  // namespace

TEST_CASE_TEMPLATE("the applicative laws hold for the product that every monad has", M,
                   testing::IdentityMonad, UnitContinuationMonad, TryT<testing::IdentityMonad>,
                   TryT<UnitContinuationMonad>, ResourceT<testing::IdentityMonad>,
                   ResourceT<UnitContinuationMonad>, TryT<ResourceT<testing::IdentityMonad>>,
                   TryT<ResourceT<UnitContinuationMonad>>) {
  applicativeLaws<M>(OfMonad<M>(), See<M>());
  sequenceLaw<M>(OfMonad<M>());
}

TEST_CASE("the applicative laws hold for tuple2 of UnitContinuation in sequence") {
  applicativeLaws<UnitContinuationMonad>(InSequence(), SeeOrder());
  sequenceLaw<UnitContinuationMonad>(InSequence());
}

TEST_CASE("the applicative laws hold for tuple2 of UnitContinuation in parallel") {
  applicativeLaws<UnitContinuationMonad>(InParallel(), SeeOrder());
}

TEST_CASE("the applicative laws hold for tuple2 of Do in sequence") {
  applicativeLaws<DoMonad>(InSequence(), SeeOrder());
  sequenceLaw<DoMonad>(InSequence());
}

TEST_CASE("the applicative laws hold for tuple2 of Do in parallel") {
  applicativeLaws<DoMonad>(InParallel(), SeeEffects());
}
