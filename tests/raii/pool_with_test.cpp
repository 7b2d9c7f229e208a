// What releases the instance of a pool before the enclosing scope ends, and what the pool closes itself.
#include <doctest/doctest.h>

#include <ranges>
#include <stdexcept>
#include <string>

#include "support/programs/fake_resource.hpp"
#include "support/programs/pool_users.hpp"
#include "support/programs/runs.hpp"
#include "tapestry/continuation/sleep_for.hpp"
#include "tapestry/raii.hpp"
#include "tapestry/raii/coroutine/coroutine.hpp"
#include "tapestry/raii/direct/direct.hpp"
#include "tapestry/raii/par_for_each.hpp"
#include "tapestry/raii/par_traverse.hpp"
#include "tapestry/raii/pool.hpp"

using namespace tapestry;
using namespace std::chrono_literals;
using test::errorOf;
using test::FakeResources;
using test::Name;
using test::Names;
using test::Numbered;

namespace {

/// Runs the visit for each of six elements, four at a time, with a pool of two.
template <class F>
void visitsByTwo(F visit) {
  Numbered numbered;
  ThreadPool threads(2);
  const auto program = numbered.pool(2).flatMap([&](const Names& pool) {
    return parTraverse(std::views::iota(0, 6), 4, [pool, visit](int) { return visit(pool); });
  });
  CHECK(program.blockingAwait(threads) == std::vector<std::size_t>(6, 1));
  CHECK(numbered.made <= 2);
  CHECK(numbered.fake.open() == 0);
}

}  // namespace

TEST_CASE("a parTraverse over a pool of two whose visits use Pool with does not hang") {
  SUBCASE("a function that returns a value") {
    visitsByTwo([](const Names& pool) { return pool.with([](const Name& name) { return name->size(); }); });
  }
  SUBCASE("a function that returns a Do") {
    visitsByTwo([](const Names& pool) {
      return pool.with(
          [](const Name& name) { return lift(sleepFor(1ms)).map([name] { return name->size(); }); });
    });
  }
  SUBCASE("a function that returns a UnitContinuation") {
    visitsByTwo([](const Names& pool) {
      return pool.with([](const Name& name) { return sleepFor(1ms).map([name] { return name->size(); }); });
    });
  }
  SUBCASE("a coroutine") {
    visitsByTwo([](const Names& pool) {
      return pool.with([](Name name) -> Coroutine<std::size_t> {
        co_await sleepFor(1ms);
        co_return name->size();
      });
    });
  }
  SUBCASE("within blocks") {
    visitsByTwo([](const Names& pool) {
      return direct<Do>([pool] { return !pool.with([](const Name& name) { return name->size(); }); });
    });
    visitsByTwo([](const Names& pool) {
      return direct<Do>([pool]() -> Coroutine<std::size_t> {
        co_return co_await pool.with([](const Name& name) { return name->size(); });
      });
    });
  }
}

TEST_CASE("a parTraverse over a pool of two whose visits are scoped blocks does not hang") {
  SUBCASE("on fibers") {
    visitsByTwo([](const Names& pool) {
      return directScoped([pool] {
        const auto name = !pool.use();
        !sleepFor(1ms);
        return name->size();
      });
    });
  }
  SUBCASE("in coroutines") {
    visitsByTwo([](const Names& pool) {
      return directScoped([pool]() -> Coroutine<std::size_t> {
        const auto name = co_await pool.use();
        co_await sleepFor(1ms);
        co_return name->size();
      });
    });
  }
}

TEST_CASE("Pool with gives the instance back when the function fails") {
  Numbered numbered;
  const auto program = numbered.pool(1).flatMap([](const Names& pool) {
    const auto failing = pool.with([](const Name&) -> int { throw std::runtime_error("failed"); });
    return failing.handleError([](auto) { return Do<int>::now(1); }).flatMap([pool](int) {
      return pool.with([](const Name& name) { return *name; });
    });
  });
  CHECK(program.blockingAwait() == "1");
}

TEST_CASE("Pool with releases what the function has acquired and then gives the instance back") {
  Numbered numbered;
  const auto isHealthy = [&](const std::string&) {
    numbered.fake.note("back");
    return true;
  };
  const auto program = Names::scoped(1, numbered.factory(), isHealthy).flatMap([&](const Names& pool) {
    return pool.with([&](const Name&) { return numbered.fake.make("a"); }).map([&](const std::string&) {
      numbered.fake.note("after");
    });
  });
  program.blockingAwait();
  CHECK(numbered.fake.log() == "+1 +a -a back after -1");
}

namespace {

struct Log {
  std::string text;
};
/// Closes itself by a function that returns nothing, or by a program.
struct Plain {
  void close() { log->text += "closed "; }
  Log* log;
};
struct Slow {
  Do<void> close() {
    return lift(sleepFor(1ms)).map([log = log] { log->text += "closed "; });
  }
  Log* log;
};
struct Failing {
  void close() { throw std::runtime_error("not closed"); }
};

}  // namespace

TEST_CASE_TEMPLATE("a pool closes what its factory only makes", R, Plain, Slow) {
  Log log;
  const auto made = Do<R>::delay([&log] { return R{&log}; });
  const auto used = [&](const Pool<R>& pool) {
    return pool.with([&](const Handle<R>& handle) { handle->log->text += "used "; });
  };
  Pool<R>::scoped(2, made).flatMap(used).blockingAwait();
  CHECK(log.text == "used closed ");
  log.text.clear();
  Pool<R>::scoped(2, made, [](const R&) {
    return false;
  }).flatMap([&](const Pool<R>& pool) {
      return used(pool).map([&] { log.text += "after "; });
    }).blockingAwait();
  CHECK(log.text == "used closed after ");
}

TEST_CASE("a pool does not close an instance that has a release") {
  Log log;
  const auto made =
      resource(Do<Plain>::delay([&log] { return Plain{&log}; }), [](Plain& plain) { plain.close(); });
  Pool<Plain>::scoped(1, made)
      .flatMap([](const Pool<Plain>& pool) { return pool.with([](const Handle<Plain>&) {}); })
      .blockingAwait();
  CHECK(log.text == "closed ");
}

TEST_CASE("an error of closing an instance is an error of the scope of its pool") {
  const auto program =
      Pool<Failing>::scoped(1, Do<Failing>::delay([] { return Failing(); }))
          .flatMap([](const Pool<Failing>& pool) { return pool.with([](const Handle<Failing>&) {}); });
  CHECK(errorOf([&] { program.blockingAwait(); }) == "not closed");
}

TEST_CASE("an instance whose close cancels itself fails the scope of its pool with ReleaseCancelled") {
  struct Stops {
    Do<void> close() {
      return direct<Do>([]() -> Coroutine<void> {
        co_await Do<void>::now();
        throw Cancelled();
      });
    }
  };
  const auto factory = Do<Stops>::delay([] { return Stops(); });
  const auto program = Pool<Stops>::scoped(1, factory).flatMap([](const Pool<Stops>& pool) {
    return pool.with([](const Handle<Stops>&) { return 1; });
  });
  CHECK_THROWS_AS(program.blockingAwait(), ReleaseCancelled);
}
