#include "laws/laws.hpp"

using namespace tapestry;
using namespace tapestry::test;

TEST_CASE_TEMPLATE("the monad laws hold", M, testing::IdentityMonad, UnitContinuationMonad,
                   TryT<testing::IdentityMonad>, TryT<UnitContinuationMonad>,
                   ResourceT<testing::IdentityMonad>, ResourceT<UnitContinuationMonad>,
                   TryT<ResourceT<UnitContinuationMonad>>, DoMonad) {
  monadLaws<M>();
}
