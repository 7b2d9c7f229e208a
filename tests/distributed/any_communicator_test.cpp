#include "tapestry/distributed/any_communicator.hpp"

#include <doctest/doctest.h>

#include "support/programs/delivery.hpp"
#include "tapestry/distributed/local_communicator.hpp"
#include "tapestry/raii.hpp"

using namespace tapestry;

TEST_CASE("AnyCommunicator is the rank that it holds") {
  const AnyCommunicator any = localCommunicators(3, {.timeLimit = std::chrono::seconds(7)})[2];
  const AnyCommunicator copy = any;
  CHECK(copy.rank() == 2);
  CHECK(copy.size() == 3);
  CHECK(copy.timeLimit() == std::chrono::seconds(7));
}

TEST_CASE("copies of AnyCommunicator are one rank, which leaves with the last copy") {
  auto all = localCommunicators(2);
  AnyCommunicator first = all[0];
  auto second = std::make_unique<AnyCommunicator>(all[1]);
  const auto copy = std::make_unique<AnyCommunicator>(*second);
  all.clear();
  test::Delivery<void> end;
  first.barrier().onComplete(end.callback());
  second.reset();
  CHECK(end.count() == 0);
  copy->barrier().blockingAwait();
  CHECK(end.count() == 1);
}
