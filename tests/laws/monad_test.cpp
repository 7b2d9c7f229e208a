#include "laws/laws.hpp"

using namespace tapestry;
using namespace tapestry::test;

TEST_CASE_TEMPLATE("the functor laws hold", M, testing::IdentityMonad, UnitContinuationMonad,
                   TryT<testing::IdentityMonad>, TryT<UnitContinuationMonad>,
                   ResourceT<testing::IdentityMonad>, ResourceT<UnitContinuationMonad>,
                   TryT<ResourceT<UnitContinuationMonad>>, DoMonad) {
  functorLaws<M>();
}

TEST_CASE_TEMPLATE("the monad laws hold", M, testing::IdentityMonad, UnitContinuationMonad,
                   TryT<testing::IdentityMonad>, TryT<UnitContinuationMonad>,
                   ResourceT<testing::IdentityMonad>, ResourceT<UnitContinuationMonad>,
                   TryT<ResourceT<UnitContinuationMonad>>, DoMonad) {
  monadLaws<M>();
}

TEST_CASE_TEMPLATE("the MonadError laws hold", M, TryT<testing::IdentityMonad>, TryT<UnitContinuationMonad>,
                   TryT<ResourceT<testing::IdentityMonad>>, TryT<ResourceT<UnitContinuationMonad>>, DoMonad) {
  monadErrorLaws<M>();
}
