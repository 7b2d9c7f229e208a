// A call with a wrong argument is refused by constraints, which `requires` sees.
#include <doctest/doctest.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "support/callable.hpp"
#include "tapestry/concurrent.hpp"
#include "tapestry/concurrent/asio/run_main.hpp"
#include "tapestry/concurrent/asio/serve.hpp"
#include "tapestry/continuation/coroutine/coroutine.hpp"

using namespace tapestry;

namespace {

namespace constraints {

using Ints = Do<int>;
using Makes = int (*)();
using Maps = int (*)(int);
using MakesInts = Ints (*)(int);

// Each line: what the function accepts, and what it refuses.
static_assert(TAPESTRY_CALLABLE(tapestry::background, Ints, const char*));
static_assert(!TAPESTRY_CALLABLE(tapestry::background, Makes) &&
              !TAPESTRY_CALLABLE(tapestry::background, Ints, int));
static_assert(TAPESTRY_CALLABLE(tapestry::supervised, Ints (*)(const Supervisor&)));
static_assert(!TAPESTRY_CALLABLE(tapestry::supervised, Makes) &&
              !TAPESTRY_CALLABLE(tapestry::supervised, int (*)(const Supervisor&)));
static_assert(TAPESTRY_MEMBER_CALLABLE(spawn, Supervisor, Ints, const char*));
static_assert(!TAPESTRY_MEMBER_CALLABLE(spawn, Supervisor, Makes) &&
              !TAPESTRY_MEMBER_CALLABLE(spawn, Supervisor, Ints, int) &&
              !TAPESTRY_MEMBER_CALLABLE(spawn, Supervisor, UnitContinuation<int>));
static_assert(TAPESTRY_MEMBER_CALLABLE(post, Dispatcher, Ints, void (*)(Outcome<int>)));
static_assert(!TAPESTRY_MEMBER_CALLABLE(post, Dispatcher, Makes) &&
              !TAPESTRY_MEMBER_CALLABLE(post, Dispatcher, Ints, Maps) &&
              !TAPESTRY_MEMBER_CALLABLE(post, Dispatcher, UnitContinuation<int>));
static_assert(TAPESTRY_MEMBER_CALLABLE(toFuture, Dispatcher, Ints) &&
              !TAPESTRY_MEMBER_CALLABLE(toFuture, Dispatcher, Makes));

using Vector = std::vector<int>;
static_assert(TAPESTRY_CALLABLE(tapestry::batched, Do<Vector> (*)(Vector), BatchPolicy));
static_assert(!TAPESTRY_CALLABLE(tapestry::batched, Do<Vector> (*)(Vector)) &&
              !TAPESTRY_CALLABLE(tapestry::batched, Vector (*)(Vector), BatchPolicy));
static_assert(TAPESTRY_MEMBER_CALLABLE(sendMade, Channel<int>, Makes));
static_assert(!TAPESTRY_MEMBER_CALLABLE(sendMade, Channel<int>, int) &&
              !TAPESTRY_MEMBER_CALLABLE(sendMade, Channel<std::string>, Makes) &&
              !TAPESTRY_MEMBER_CALLABLE(sendMade, Channel<int>, Mutable<int>));
static_assert(TAPESTRY_MEMBER_CALLABLE(trySend, Channel<int>, int) &&
              !TAPESTRY_MEMBER_CALLABLE(trySend, Channel<int>, Nothing));
static_assert(TAPESTRY_MEMBER_CALLABLE(fail, Deferred<int>, std::exception_ptr) &&
              !TAPESTRY_MEMBER_CALLABLE(fail, Deferred<int>, int));
static_assert(TAPESTRY_MEMBER_CALLABLE(withLock, Mutex, Ints) &&
              !TAPESTRY_MEMBER_CALLABLE(withLock, Mutex, Makes));
static_assert(TAPESTRY_MEMBER_CALLABLE(withReadLock, ReadWriteLock, Ints) &&
              !TAPESTRY_MEMBER_CALLABLE(withReadLock, ReadWriteLock, Makes));
static_assert(TAPESTRY_MEMBER_CALLABLE(withWriteLock, ReadWriteLock, Ints) &&
              !TAPESTRY_MEMBER_CALLABLE(withWriteLock, ReadWriteLock, Makes));
static_assert(TAPESTRY_MEMBER_CALLABLE(modify, Ref<int>, Maps) &&
              !TAPESTRY_MEMBER_CALLABLE(modify, Ref<int>, Mutable<int, int>));

template <class A>
constexpr bool isBroadcast = requires { typename Broadcast<A>; };
static_assert(isBroadcast<std::string> && !isBroadcast<std::unique_ptr<int>> &&
              !isBroadcast<const std::string>);

using Tcp = boost::asio::ip::tcp;
using Socket = Handle<Tcp::socket>;
using Serves = Do<void> (*)(const Socket&);
static_assert(TAPESTRY_CALLABLE(tapestry::serve, Tcp::acceptor&, Serves));
static_assert(!TAPESTRY_CALLABLE(tapestry::serve, Tcp::acceptor, Serves) &&
              !TAPESTRY_CALLABLE(tapestry::serve, boost::asio::io_context&, Serves));
static_assert(!TAPESTRY_CALLABLE(tapestry::serve, Tcp::acceptor&, int (*)(const Socket&)) &&
              !TAPESTRY_CALLABLE(tapestry::serve, Tcp::acceptor&, Ints (*)(const Socket&)) &&
              !TAPESTRY_CALLABLE(tapestry::serve, Tcp::acceptor&, Mutable<Do<void>, const Socket&>));
static_assert(TAPESTRY_CALLABLE(tapestry::runMain, Ints) &&
              TAPESTRY_CALLABLE(tapestry::runMain, Do<void>, Executor&));
static_assert(!TAPESTRY_CALLABLE(tapestry::runMain, Makes) &&
              !TAPESTRY_CALLABLE(tapestry::runMain, Do<std::string>));

using Items = Stream<int>;
static_assert(TAPESTRY_MEMBER_CALLABLE(map, Items, Maps) && !TAPESTRY_MEMBER_CALLABLE(map, Items, Makes));
static_assert(!TAPESTRY_MEMBER_CALLABLE(map, Items, Mutable<int, int>) &&
              !TAPESTRY_MEMBER_CALLABLE(map, Items, void (*)(int)));
static_assert(TAPESTRY_MEMBER_CALLABLE(mapDo, Items, MakesInts) &&
              !TAPESTRY_MEMBER_CALLABLE(mapDo, Items, Do<void> (*)(int)) &&
              !TAPESTRY_MEMBER_CALLABLE(mapDo, Items, Mutable<Ints, int>));
static_assert(TAPESTRY_MEMBER_CALLABLE(parMap, Items, int, MakesInts));
static_assert(!TAPESTRY_MEMBER_CALLABLE(parMap, Items, MakesInts) &&
              !TAPESTRY_MEMBER_CALLABLE(parMap, Items, int, Maps) &&
              !TAPESTRY_MEMBER_CALLABLE(parMap, Items, int, Do<void> (*)(int)) &&
              !TAPESTRY_MEMBER_CALLABLE(parMap, Items, int, Mutable<Ints, int>));
static_assert(TAPESTRY_MEMBER_CALLABLE(flatMap, Items, Items (*)(int)));
static_assert(!TAPESTRY_MEMBER_CALLABLE(flatMap, Items, Maps) &&
              !TAPESTRY_MEMBER_CALLABLE(flatMap, Items, MakesInts));
static_assert(TAPESTRY_MEMBER_CALLABLE(filter, Items, bool (*)(int)));
static_assert(!TAPESTRY_MEMBER_CALLABLE(filter, Items, std::string (*)(int)) &&
              !TAPESTRY_MEMBER_CALLABLE(filter, Items, Mutable<bool, int>));
static_assert(TAPESTRY_MEMBER_CALLABLE(takeWhile, Items, bool (*)(int)) &&
              !TAPESTRY_MEMBER_CALLABLE(takeWhile, Items, Makes));
static_assert(TAPESTRY_MEMBER_CALLABLE(dropWhile, Items, bool (*)(int)) &&
              !TAPESTRY_MEMBER_CALLABLE(dropWhile, Items, Makes));
static_assert(TAPESTRY_MEMBER_CALLABLE(scan, Items, int, int (*)(int, int)));
static_assert(!TAPESTRY_MEMBER_CALLABLE(scan, Items, int (*)(int, int)) &&
              !TAPESTRY_MEMBER_CALLABLE(scan, Items, int, std::string (*)(int, int)));
static_assert(TAPESTRY_MEMBER_CALLABLE(fold, Items, int, int (*)(int, int)));
static_assert(!TAPESTRY_MEMBER_CALLABLE(fold, Items, int (*)(int, int)) &&
              !TAPESTRY_MEMBER_CALLABLE(fold, Items, int, std::string (*)(int, int)));
static_assert(TAPESTRY_MEMBER_CALLABLE(forEach, Items, void (*)(int)) &&
              !TAPESTRY_MEMBER_CALLABLE(forEach, Items, Mutable<void, int>));
static_assert(TAPESTRY_MEMBER_CALLABLE(forEach, Items, Maps) &&
              TAPESTRY_MEMBER_CALLABLE(forEach, Items, MakesInts) &&
              !TAPESTRY_MEMBER_CALLABLE(forEach, Items, Items (*)(int)) &&
              !TAPESTRY_MEMBER_CALLABLE(forEach, Items, Coroutine<void> (*)(int)) &&
              !TAPESTRY_MEMBER_CALLABLE(forEach, Items, UnitContinuation<Try<void>> (*)(int)));
static_assert(TAPESTRY_MEMBER_CALLABLE(forEach, Items, int, MakesInts) &&
              !TAPESTRY_MEMBER_CALLABLE(forEach, Items, int, Maps));
static_assert(TAPESTRY_MEMBER_CALLABLE(broadcast, Items, Ints (*)(const Items&)));
static_assert(!TAPESTRY_MEMBER_CALLABLE(broadcast, Items) &&
              !TAPESTRY_MEMBER_CALLABLE(broadcast, Items, int (*)(const Items&)));
using Next = std::optional<std::pair<int, int>>;
static_assert(TAPESTRY_CALLABLE(Items::unfold, int, Next (*)(int)));
static_assert(!TAPESTRY_CALLABLE(Items::unfold, int, Maps) &&
              !TAPESTRY_CALLABLE(Items::unfold, int, Do<Next> (*)(int)));
static_assert(TAPESTRY_CALLABLE(Items::unfoldDo, int, Do<Next> (*)(int)) &&
              !TAPESTRY_CALLABLE(Items::unfoldDo, int, Next (*)(int)));

/// A state that can be copied, and cannot be assigned.
struct Fixed {
  const int id;
};
using NextOfFixed = std::optional<std::pair<int, Fixed>>;
static_assert(!TAPESTRY_MEMBER_CALLABLE(scan, Items, Fixed, Fixed (*)(Fixed, int)) &&
              !TAPESTRY_MEMBER_CALLABLE(fold, Items, Fixed, Fixed (*)(Fixed, int)));
static_assert(!TAPESTRY_CALLABLE(Items::unfold, Fixed, NextOfFixed (*)(Fixed)) &&
              !TAPESTRY_CALLABLE(Items::unfoldDo, Fixed, Do<NextOfFixed> (*)(Fixed)));

}  // namespace constraints

}  // namespace

TEST_CASE("a template of the user's may ask whether a stage accepts a function") {
  CHECK(TAPESTRY_MEMBER_CALLABLE(map, Stream<int>, int (*)(int)));
  CHECK_FALSE(TAPESTRY_MEMBER_CALLABLE(map, Stream<int>, int (*)()));
}
