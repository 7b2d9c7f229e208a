#include "tapestry/concurrent/closed.hpp"

#include <doctest/doctest.h>

#include <string>

#include "tapestry/concurrent/channel.hpp"
#include "tapestry/concurrent/supervisor.hpp"
#include "tapestry/continuation/monad/trace.hpp"
#include "tapestry/raii.hpp"

using namespace tapestry;

namespace {

/// The operation and the line that have raised the error of the program.
template <class A>
std::string raisedIn(const Do<A>& program) {
  const auto places = traceOf(program.attempt().blockingAwait().error()).places;
  return places.empty() ? "nowhere"
                        : std::string(places[0].operation) + ':' + std::to_string(places[0].location.line());
}

std::string at(const char* operation, int line) { return operation + (':' + std::to_string(line)); }

}  // namespace

TEST_CASE("Closed says what has happened") {
  const tapestry::Closed closed;
  const std::exception& error = closed;
  CHECK(std::string(error.what()) ==
        "tapestry: a channel, broadcast, supervisor or dispatcher was used after it had been closed");
}

TEST_CASE("the trace of Closed names the operation that came too late, and its place") {
  const Channel<int> channel(1);
  channel.close();
  CHECK(raisedIn(channel.send(1)) == at("Channel::send", __LINE__));
  CHECK(raisedIn(channel.receive()) == at("Channel::receive", __LINE__));
  const auto spawn = [](const Supervisor& supervisor) { return supervisor.spawn(Do<void>::now()); };
  CHECK(raisedIn(Supervisor::scoped().run().flatMap(spawn)) == at("Supervisor::spawn", __LINE__ - 1));
}
