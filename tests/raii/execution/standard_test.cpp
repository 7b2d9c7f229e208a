#include "support/programs/senders.hpp"
//
#include "tapestry/raii/execution/standard.hpp"

#include <doctest/doctest.h>

#include <type_traits>

using namespace tapestry;

TEST_CASE("the macro names the implementation of the standard's senders and stop tokens") {
  CHECK(std::is_same_v<execution::standard::sender_t, test::senders::sender_t>);
  CHECK(std::is_same_v<execution::stopTokens::never_stop_token, test::senders::never_stop_token>);
}
