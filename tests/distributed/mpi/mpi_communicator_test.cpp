#include "tapestry/distributed/mpi/mpi_communicator.hpp"

#include <doctest/doctest.h>

#include <string>
#include <variant>
#include <vector>

#include "support/error_text.hpp"
#include "support/ranks/communicator_laws.hpp"
#include "support/ranks/mpi_ranks.hpp"
#include "support/ranks/traverse_laws.hpp"
#include "tapestry/continuation/asio/thread_pool.hpp"
#include "tapestry/distributed/any_communicator.hpp"
#include "tapestry/raii/race.hpp"
#include "tapestry/raii/timeout.hpp"

using namespace tapestry;
using namespace std::chrono_literals;
using test::awaitOnRank;
using test::errorOf;
using test::mpiWorld;
using test::outcomeText;

TEST_CASE("the laws of communicators hold for ranks of MPI") {
  const MpiCommunicator all = mpiWorld().communicator();
  for (int round = 0; round < 5; ++round)
    CHECK(outcomeText(awaitOnRank(test::communicatorLaws(all))) == "value");
}

TEST_CASE("the laws of communicators hold for ranks of MPI behind AnyCommunicator, on a pool") {
  const AnyCommunicator all = mpiWorld().communicator();
  ThreadPool pool(2);
  for (int round = 0; round < 5; ++round)
    CHECK(outcomeText(awaitOnRank(test::communicatorLaws(all), &pool)) == "value");
}

TEST_CASE("the laws of communicators hold for several communicators of MPI at once, on a pool") {
  const MpiCommunicator all = mpiWorld().communicator();
  ThreadPool pool(2);
  const auto both = all.split(0).flatMap([all](const MpiCommunicator& first) {
    return all.split(0).flatMap([first](const MpiCommunicator& second) {
      // without MPI_THREAD_MULTIPLE, splits of several communicators need an order
      if (mpiWorld().threads() != MpiThreads::multiple)
        return test::communicatorLaws(first).flatMap([second] { return test::communicatorLaws(second); });
      return tuple2(parallel(test::communicatorLaws(first)), parallel(test::communicatorLaws(second)))
          .map([](const auto&) {});
    });
  });
  CHECK(outcomeText(awaitOnRank(both, &pool)) == "value");
}

TEST_CASE("the laws of parTraverseRanks hold for ranks of MPI") {
  const MpiCommunicator all = mpiWorld().communicator();
  ThreadPool pool(1);
  for (int round = 0; round < 3; ++round) {
    CHECK(outcomeText(awaitOnRank(test::traverseLaws(all, 2))) == "value");
    CHECK(outcomeText(awaitOnRank(test::traverseLaws(all, 1), &pool)) == "value");
  }
}

TEST_CASE("large buffers are reduced and exchanged") {
  const MpiCommunicator all = mpiWorld().communicator();
  const std::size_t count = 300'000;
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = float(i % 100) + float(all.rank());
  CHECK(outcomeText(awaitOnRank(all.allReduce(std::span<float>(values)))) == "value");
  const auto n = float(all.size());
  for (std::size_t i = 0; i < count; i += 777) CHECK(values[i] == n * float(i % 100) + n * (n - 1) / 2);
  const auto bytes = awaitOnRank(all.broadcast(Bytes(all.rank() == 0 ? 3 * count : 0, std::byte{7}), 0));
  CHECK(bytes.get() == Bytes(3 * count, std::byte{7}));
}

TEST_CASE("ranks of MPI that run different collectives all fail, and the next collective works") {
  const MpiCommunicator all = mpiWorld().communicator();
  if (all.size() == 1) return;
  std::vector<double> values(all.rank() == 1 ? 3 : 2);
  CHECK(
      outcomeText(awaitOnRank(all.allReduce(std::span<double>(values)))) ==
      "tapestry::Communicator: the ranks run different collectives, got allReduce (sum of 3 doubles) on rank "
      "1, expected allReduce (sum of 2 doubles) as on rank 0");
  const auto wrong = all.rank() == 0 ? all.barrier() : all.allGather(Bytes(1)).map([](const auto&) {});
  CHECK(outcomeText(awaitOnRank(wrong)).find("got allGather on rank 1, expected barrier as on rank 0") !=
        std::string::npos);
  CHECK(outcomeText(awaitOnRank(all.barrier())) == "value");
}

TEST_CASE("a root, a rank and a tag that do not exist are refused") {
  const MpiCommunicator all = mpiWorld().communicator();
  const std::string size = std::to_string(all.size());
  CHECK(outcomeText(awaitOnRank(all.broadcast({}, all.size()))) ==
        "tapestry::Communicator::broadcast: there is no such rank, got " + size + ", expected less than " +
            size);
  CHECK(outcomeText(awaitOnRank(all.send({}, 9, 0))) ==
        "tapestry::Communicator::send: there is no such rank, got 9, expected less than " + size);
  CHECK(outcomeText(awaitOnRank(all.receive(0, 40'000))).find("the tag is out of range, got 40000") !=
        std::string::npos);
}

TEST_CASE("a receive that has run out of time takes no message") {
  const MpiCommunicator all = mpiWorld().communicator();
  const auto late = timeout(all.receive(all.rank(), 7), 5ms).attempt().flatMap([all](const auto& end) {
    CHECK(!end.hasValue());
    return all.send(test::bytesOf("later"), all.rank(), 7);
  });
  const auto then = late.flatMap([all] { return all.receive(all.rank(), 7); });
  CHECK(test::textOf(awaitOnRank(then).get().bytes) == "later");
}

TEST_CASE("a message of MPI that a race has received and discards goes to the next receive") {
  const MpiCommunicator all = mpiWorld().communicator();
  const std::size_t rank = all.rank();
  const auto either =
      timeout(race(all.receive(rank, 7), all.receive(rank, 8)), 10s)
          .map([](const std::variant<Message, Message>& end) {
            return std::visit([](const Message& message) { return message.bytes.size(); }, end);
          });
  const auto both = all.send(Bytes(7), rank, 7)
                        .flatMap([all, rank] { return all.send(Bytes(8), rank, 8); })
                        .flatMap([either] { return either; })
                        .flatMap([either](std::size_t first) {
                          return either.map([first](std::size_t next) { return first + next; });
                        });
  for (int round = 0; round < 10; ++round) {
    const auto end = awaitOnRank(both);
    REQUIRE_MESSAGE(end.hasValue(), outcomeText(end));
    CHECK(end.get() == 7 + 8);
  }
}

TEST_CASE("messages of MPI that races have received and discarded keep their order") {
  const MpiCommunicator all = mpiWorld().communicator();
  const std::size_t rank = all.rank();
  ThreadPool pool(1);  // it tests all receives of a race before the race has ended
  const auto textOfRun = [&](const Do<Message>& receive) {
    const auto end = awaitOnRank(timeout(receive, 10s), &pool);
    REQUIRE_MESSAGE(end.hasValue(), outcomeText(end));
    return test::textOf(end.get().bytes);
  };
  const auto send = [&](const std::string& text, int tag) {
    CHECK(outcomeText(awaitOnRank(all.send(test::bytesOf(text), rank, tag), &pool)) == "value");
  };
  const auto seven = all.receive(rank, 7), eight = all.receive(rank, 8);
  for (int round = 0; round < 10; ++round) {
    send("1", 7);
    send("2", 7);
    std::string order;
    for (const auto& receives : {std::vector{eight, seven, seven}, std::vector{eight, seven}}) {
      send("", 8);
      const std::string first = textOfRun(raceAll(receives));
      if (!first.empty()) order += first + textOfRun(eight);
    }
    while (order.size() < 2) order += textOfRun(seven);
    CHECK(order == "12");
  }
}

TEST_CASE("a collective of MPI that was asked to stop before it began does not take part") {
  const MpiCommunicator all = mpiWorld().communicator();
  const StopSource stop;
  stop.requestStop();
  test::Delivery<std::vector<Bytes>> end;
  all.allGather({}).onComplete(end.callback(), stop.token());
  CHECK(outcomeText(end.outcome()) == "cancelled");
  CHECK(outcomeText(awaitOnRank(all.barrier())) == "value");
}
