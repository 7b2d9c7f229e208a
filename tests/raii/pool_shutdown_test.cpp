// Shutdowns of a Pool: who is served still, who is refused, and what is released when.
#include <doctest/doctest.h>

#include "support/programs/pool_users.hpp"
#include "support/programs/runs.hpp"
#include "tapestry/raii.hpp"

using namespace tapestry;
using test::Delivery;
using test::errorOf;
using test::Manual;
using test::Name;
using test::Names;
using test::Numbered;
using test::OpenPool;
using test::outcomeText;
using test::User;

TEST_CASE("a shutdown serves runs that wait already, refuses later runs, and waits for every instance") {
  Numbered numbered;
  OpenPool pool(numbered.pool(2));
  User a(pool);
  User b(pool);
  User waiting(pool);
  Delivery<void> shutdown;
  pool->shutdown().onComplete(shutdown.callback());
  User late(pool);
  CHECK(late.ended() == PoolClosed().what());
  CHECK(test::isError<PoolClosed>([&] {
    Delivery<Name> refused;
    pool->use().onComplete(refused.callback());
    return refused.outcome().error();
  }()));
  a.giveBack();
  CHECK(waiting.instance == "1");
  waiting.giveBack();
  CHECK(shutdown.count() == 0);
  CHECK(numbered.fake.open() == 2);
  b.giveBack();
  CHECK(outcomeText(shutdown.outcome()) == "value");
  CHECK(numbered.fake.open() == 0);
  CHECK(User(pool).ended() == PoolClosed().what());
  pool.end();
  CHECK(pool.ended() == "value");
  CHECK(numbered.fake.faults().empty());
}

TEST_CASE("the end of the pool's scope is a shutdown, also for copies that outlive it") {
  Numbered numbered;
  OpenPool pool(numbered.pool(1));
  const Names copy = *pool;
  User a(copy);
  User waiting(copy);
  pool.end();
  CHECK(User(copy).ended() == PoolClosed().what());
  a.giveBack();
  CHECK(waiting.instance == "1");
  CHECK_FALSE(pool.hasEnded());
  waiting.giveBack();
  CHECK(pool.ended() == "value");
  CHECK(User(copy).ended() == PoolClosed().what());
  CHECK(numbered.fake.log() == "+1 -1");
}

TEST_CASE("all errors of the releases at a shutdown are its error") {
  Numbered numbered;
  numbered.behaviour.failRelease = true;
  OpenPool pool(numbered.pool(3));
  {
    User a(pool);
    User b(pool);
    User c(pool);
    b.giveBack();
    c.giveBack();
    a.giveBack();
  }
  CHECK(errorOf([&] { pool->shutdown().blockingAwait(); }) == "[release 2, release 3, release 1]");
  CHECK(numbered.fake.open() == 0);
  pool.end();
  CHECK(pool.ended() == "value");
  CHECK(numbered.fake.faults().empty());
}

TEST_CASE("two shutdowns at once both wait for the last instance, which is released once") {
  Numbered numbered;
  Manual<void> releasing;
  numbered.behaviour.releasing = Do<void>::lift(releasing.program());
  OpenPool pool(numbered.pool(2));
  User user(pool);
  Delivery<void> first;
  Delivery<void> second;
  pool->shutdown().onComplete(first.callback());
  pool->shutdown().onComplete(second.callback());
  user.giveBack();
  CHECK(releasing.waiting() == 1);
  CHECK(first.count() + second.count() == 0);
  releasing.take()();
  CHECK(outcomeText(first.outcome()) == "value");
  CHECK(outcomeText(second.outcome()) == "value");
  CHECK(numbered.fake.log() == "+1 -1");
  pool.end();
  CHECK(pool.ended() == "value");
}

TEST_CASE("a shutdown that is cancelled while it waits leaves the rest to the next one") {
  Numbered numbered;
  OpenPool pool(numbered.pool(2));
  User user(pool);
  const StopSource source;
  Delivery<void> shutdown;
  pool->shutdown().onComplete(shutdown.callback(), source.token());
  source.requestStop();
  CHECK(shutdown.outcome().isCancelled());
  CHECK(User(pool).ended() == PoolClosed().what());
  user.giveBack();
  CHECK(numbered.fake.log() == "+1");
  pool.end();
  CHECK(pool.ended() == "value");
  CHECK(numbered.fake.log() == "+1 -1");
}

TEST_CASE("a shutdown releases its instances in parallel") {
  Numbered numbered;
  Manual<void> releasing;
  numbered.behaviour.releasing = Do<void>::lift(releasing.program());
  OpenPool pool(numbered.pool(3));
  {
    User a(pool);
    User b(pool);
    a.giveBack();
    b.giveBack();
  }
  pool.end();
  CHECK(releasing.waiting() == 2);
  releasing.take()();
  releasing.take()();
  CHECK(pool.ended() == "value");
}
