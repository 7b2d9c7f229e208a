#include "laws/laws.hpp"

using namespace tapestry;
using namespace tapestry::test;

TEST_CASE_TEMPLATE("the MonadError laws hold", M, TryT<testing::IdentityMonad>, TryT<UnitContinuationMonad>,
                   TryT<ResourceT<testing::IdentityMonad>>, TryT<ResourceT<UnitContinuationMonad>>, DoMonad) {
  monadErrorLaws<M>();
}
