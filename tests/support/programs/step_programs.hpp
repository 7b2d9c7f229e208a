// Defines StepPrograms, small programs of many shapes, into which tests inject a cancellation or an error at
// any step.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "support/programs/fake_resource.hpp"
#include "tapestry/raii.hpp"
#include "tapestry/raii/cancellable_resource.hpp"
#include "tapestry/raii/coroutine/coroutine.hpp"
#include "tapestry/raii/direct/direct.hpp"
#include "tapestry/raii/ensure.hpp"
#include "tapestry/raii/memoize.hpp"
#include "tapestry/raii/on.hpp"
#include "tapestry/raii/par_traverse.hpp"
#include "tapestry/raii/pool.hpp"
#include "tapestry/raii/race.hpp"
#include "tapestry/raii/repeat.hpp"
#include "tapestry/raii/retry.hpp"
#include "tapestry/raii/semaphore.hpp"
#include "tapestry/raii/timeout.hpp"
#include "tapestry/raii/timeout_abandon.hpp"
#include "tapestry/raii/validate2.hpp"

namespace tapestry::test {

struct StepProgram {
  std::string name;
  Do<int> program;
  /// Whether its releases are in the exact reverse order of its acquires.
  bool sequential = true;
  /// Whether one acquire of it is made of several, which a request to stop does not interrupt.
  bool compoundAcquire = false;
  /// Whether it may handle an error that is injected.
  bool handlesErrors = false;
};

/// Must outlive the runs of its programs.
class StepPrograms {
 public:
  explicit StepPrograms(FakeResources& fake) : fake_(fake) {}

  std::vector<StepProgram> all() {
    return {
        {"one resource", use("a")},
        {"nested to the right", nested()},
        {"nested to the left", leftNested()},
        {"an inner scope", innerScope()},
        {"an error that is handled", handled(), true, false, true},
        {"an error that is not handled", chain("a").flatMap([](int) { return failure(); })},
        {"a failing acquire",
         use("a").flatMap([this](int) { return fake_.failingAcquire("b"); }).map(length)},
        {"failing releases", failingReleases()},
        {"scoped values", scopedValues()},
        {"tuple2 in sequence", tuple2(use("a"), use("b")).map(sum)},
        {"tuple2 in parallel", tuple2(parallel(chain("a")), parallel(chain("b"))).map(sum), false},
        {"parallel in an inner scope", use("o").flatMap([this](int) { return parallelScope(); }), false},
        {"parallel with a failing branch", parallelFailing(), false},
        {"parallel of parallel", parallelOfParallel(), false},
        {"shared in sequence", sharedInSequence(), false, true},
        {"shared in parallel", sharedInParallel(), false, true},
        {"shared that fails to open", sharedFailing(), false, true},
        {"an acquire made of several", compound(), true, true},
        {"a release that acquires", releaseThatAcquires(), true, true},
        {"a source that is released when the result exists", intransitive(), false},
        {"a source that is released when the result fails", intransitiveFailing(), false},
        {"a source that is mapped and released", intransitiveMapped()},
        {"a scope of its own", use("a").flatMap([this](int) { return Do<int>::nested(chain("b")); })},
        {"scoped values that are closed by programs", closedByPrograms()},
        {"an acquire that is not masked", cancellable()},
        {"validation in sequence", validate2(chain("a"), chain("b")).map(sum)},
        {"validation in parallel", validate2(parallel(chain("a")), parallel(chain("b"))).map(sum), false},
        {"validation in parallel with a failing branch", validating(), false},
        {"a finalizer that acquires", ensured(), true, true},
        {"another executor and back",
         on(Executor::inlined(), chain("a")).flatMap([this](int) { return use("b"); })},
        {"rounds of a loop", loop()},
        {"rounds, each of them a scope", repeat(chain("a"), 2).map([] { return 1; })},
        {"rounds until a value is right", rounds()},
        {"memoized, in parallel", memoized(), false},
        {"a block on a fiber", onFiber()},
        {"a block in a coroutine", inCoroutine()},
        {"parallel blocks", blocksInParallel(), false},
        {"permits in parallel", permitsInParallel(), false},
        {"a pool of one, in parallel", pooledInParallel(), false},
        {"a pool whose instances are found unhealthy", pooledUnhealthy(), false},
        {"a race", raced(), false, false, true},
        {"a race with a failing branch", racedFailing(), false, false, true},
        {"a timeout", use("o").flatMap([this](int) { return timeout(chain("a"), std::chrono::hours(1)); }),
         false},
        {"a timeout that abandons", abandonable(), false},
        {"a retry", retried(), false, false, true},
        {"a traversal", traversed(), false},
    };
  }

 private:
  static int length(const std::string& name) { return static_cast<int>(name.size()); }
  static int sum(const std::tuple<int, int>& both) { return std::get<0>(both) + std::get<1>(both); }
  static Do<int> failure() { return Do<int>::raiseError(std::runtime_error("body")); }

  /// Acquires, and does one step with it.
  Do<int> use(const std::string& name) {
    return fake_.make(name).map([this, name](const std::string& it) {
      fake_.note("use " + name);
      return length(it);
    });
  }
  /// Acquires two, with steps between.
  Do<int> chain(const std::string& name) {
    return use(name + "1").flatMap([this, name](int x) {
      fake_.note("between " + name);
      return use(name + "2").map([x](int y) { return x + y; });
    });
  }
  Do<int> nested() {
    return use("a").flatMap([this](int x) {
      return use("b").flatMap([this, x](int y) { return use("c").map([x, y](int z) { return x + y + z; }); });
    });
  }
  Do<int> leftNested() {
    return use("a").flatMap([this](int) { return use("b"); }).flatMap([this](int) { return use("c"); });
  }
  Do<int> onFiber() {
    return direct<Do>([this] {
      const int x = !use("a");
      fake_.note("between");
      const int y = !chain("b").run();
      return x + y + !use("c");
    });
  }
  Do<int> inCoroutine() {
    return direct<Do>([this]() -> Coroutine<int> {
      const int x = co_await use("a");
      fake_.note("between");
      const auto inner = chain("b").run();
      const auto last = use("c");
      co_return x + co_await inner + co_await last;
    });
  }
  Do<int> blocksInParallel() {
    return direct<Do>([this]() -> Coroutine<int> {
      const auto parts = std::tuple(onFiber().run(), use("x").flatMap([this](int) { return use("y"); }));
      const auto [x, y] = co_await parts;
      co_return x + y;
    });
  }
  Do<int> innerScope() {
    return use("a").flatMap([this](int) { return chain("b").run(); }).flatMap([this](int) {
      return use("c");
    });
  }
  Do<int> handled() {
    return chain("a").flatMap([](int) { return failure(); }).handleError([this](const auto&) {
      fake_.note("handle");
      return chain("b");
    });
  }
  Do<int> failingReleases() {
    return fake_.failingRelease("a").flatMap([this](const std::string&) {
      return use("b").flatMap([this](int) { return fake_.failingRelease("c").map(length); });
    });
  }
  Do<int> scopedValues() {
    return scoped([this] {
             fake_.acquired("a");
             return Closing{&fake_, "a"};
           })
        .flatMap([this](const Handle<Closing>&) {
          return scoped([this] {
            fake_.acquired("b");
            return Closing{&fake_, "b"};
          });
        })
        .map([this](const Handle<Closing>& handle) {
          fake_.note("use");
          return length(handle->name);
        });
  }
  struct Closing {
    FakeResources* fake;
    std::string name;
    void close() { fake->released(name); }
  };
  Do<int> parallelScope() { return tuple2(parallel(chain("a")), parallel(use("b"))).map(sum).run(); }
  Do<int> parallelFailing() {
    return tuple2(parallel(chain("a")), parallel(use("b").flatMap([](int) { return failure(); }))).map(sum);
  }
  Do<int> parallelOfParallel() {
    const auto left = tuple2(parallel(use("a")), parallel(use("b"))).map(sum);
    const auto right = tuple2(parallel(use("c")), parallel(use("d"))).map(sum);
    return tuple2(parallel(left), parallel(right)).map(sum);
  }
  Do<int> sharedInSequence() {
    const auto shared = chain("s").shared();
    return shared.flatMap([this, shared](const Handle<int>& first) {
      fake_.note("first");
      return shared.flatMap([this, first](const Handle<int>& second) {
        return use("a").map([first, second](int x) { return *first + *second + x; });
      });
    });
  }
  Do<int> sharedInParallel() {
    const auto shared = chain("s").shared();
    const auto branch = [this, shared](const char* name) {
      return shared.flatMap([this, name](const Handle<int>& handle) {
        return use(name).map([handle](int x) { return *handle + x; });
      });
    };
    return tuple2(parallel(branch("a")), parallel(branch("b"))).map(sum);
  }
  Do<int> sharedFailing() {
    const auto shared = use("s").flatMap([](int) { return failure(); }).shared();
    return tuple2(parallel(shared), parallel(use("a"))).map([](const auto&) { return 1; });
  }
  Do<int> compound() {
    return resource(chain("a"), [this](int) { fake_.note("end"); }).flatMap([this](int) { return use("b"); });
  }
  Do<int> releaseThatAcquires() {
    return resource(use("a"), [this](int) { return chain("r"); }).flatMap([this](int) { return use("b"); });
  }
  Do<int> permitsInParallel() {
    return Do<int>::suspend([this] {
      const Semaphore semaphore(2);
      const auto both = semaphore.withPermit(use("b"), 2);
      return tupleN(parallel(semaphore.withPermit(chain("a"))), parallel(both),
                    parallel(semaphore.permit().flatMap([this] { return use("c"); }).run()))
          .map([](const auto& all) { return std::get<0>(all) + std::get<1>(all) + std::get<2>(all); });
    });
  }
  Do<int> pooledInParallel() {
    return Pool<int>::scoped(1, use("p")).flatMap([this](const Pool<int>& pool) {
      return tuple2(parallel(pooled(pool, "a").run()), parallel(pooled(pool, "b").run())).map(sum);
    });
  }
  Do<int> pooledUnhealthy() {
    return Pool<int>::scoped(1, use("p"), [](int) { return false; }).flatMap([this](const Pool<int>& pool) {
      return pooled(pool, "a").run().flatMap([this, pool](int) { return pooled(pool, "b"); });
    });
  }
  Do<int> pooled(const Pool<int>& pool, const std::string& name) {
    return pool.use().flatMap([this, name](const Handle<int>& handle) {
      return use(name).map([handle](int x) { return *handle + x; });
    });
  }

  Do<int> intransitive() {
    return chain("a").intransitiveFlatMap([this](int) { return chain("b"); }).flatMap([this](int) {
      return use("c");
    });
  }
  Do<int> intransitiveFailing() {
    return chain("a")
        .intransitiveFlatMap([this](int) { return use("b").flatMap([](int) { return failure(); }); })
        .flatMap([this](int) { return use("c"); });
  }
  Do<int> intransitiveMapped() {
    return use("o").flatMap([this](int) {
      return chain("a")
          .intransitiveMap([this](int x) {
            fake_.note("map");
            return x;
          })
          .flatMap([this](int) { return use("b"); });
    });
  }
  Do<int> closedByPrograms() {
    const auto make = [this](const char* name) {
      return scoped(Do<std::string>::delay([this, name] {
                      fake_.acquired(name);
                      return std::string(name);
                    }),
                    [this](const std::string& it) {
                      return Do<void>::now().flatMap(
                          [this, it] { return Do<void>::delay([this, it] { fake_.released(it); }); });
                    });
    };
    return make("a").flatMap([=](const auto&) { return make("b"); }).map([this](const auto& handle) {
      fake_.note("use");
      return length(*handle);
    });
  }
  Do<int> cancellable() {
    const auto acquire = use("lock").flatMap([this](int x) {
      return Do<int>::delay([this, x] {
        fake_.acquired("a");
        return x;
      });
    });
    return use("o").flatMap([this, acquire](int) {
      return cancellableResource(acquire, [this](int) { fake_.released("a"); }).flatMap([this](int) {
        return use("b");
      });
    });
  }
  Do<int> validating() {
    return validate2(parallel(chain("a")), parallel(use("b").flatMap([](int) { return failure(); })))
        .map(sum);
  }
  Do<int> ensured() {
    const auto finalizer = Do<void>::now().flatMap([this] { return use("f").map([](int) {}); });
    return use("o").flatMap([this, finalizer](int) { return ensure(chain("a"), finalizer); });
  }
  Do<int> loop() {
    return tailRecM(0, [this](int i) {
      return use(std::to_string(i)).map([i](int) {
        return i < 2 ? Step<int, int>::next(i + 1) : Step<int, int>::done(i);
      });
    });
  }
  Do<int> rounds() {
    return use("o").flatMap([this](int) {
      return repeatUntil(chain("a").map([this](int) { return static_cast<int>(fake_.events().size()); }),
                         [](int events) { return events > 9; })
          .flatMap([this](int) { return use("b"); });
    });
  }
  Do<int> memoized() {
    const auto memo = memoize(chain("m"));
    const auto branch = [this, memo](const char* name) {
      return use(name).flatMap([memo](int x) { return memo.map([x](int y) { return x + y; }); });
    };
    return tuple2(parallel(branch("a")), parallel(branch("b"))).map(sum);
  }
  Do<int> raced() {
    return use("o").flatMap([this](int) {
      return race(chain("a"), use("b")).map([](const auto& first) {
        return static_cast<int>(first.index());
      });
    });
  }
  Do<int> racedFailing() {
    return race(use("a").flatMap([](int) { return failure(); }), chain("b")).flatMap([this](const auto&) {
      return use("c");
    });
  }
  Do<int> abandonable() {
    return use("o").flatMap([this](int) { return timeoutAbandon(chain("a"), std::chrono::hours(1)); });
  }
  /// Its first attempt fails.
  Do<int> retried() {
    return Do<int>::suspend([this] {
      const auto attempts = std::make_shared<int>(0);
      const auto attempt =
          chain("a").flatMap([this, attempts](int) { return ++*attempts == 1 ? failure() : use("b"); });
      return retry(attempt, RetryPolicy{.attempts = 3, .delay = {}}).flatMap([this](int) {
        return use("c");
      });
    });
  }
  Do<int> traversed() {
    return parTraverse(std::vector<std::string>{"a", "b", "c"}, 2,
                       [this](const std::string& name) { return chain(name); })
        .flatMap([this](const std::vector<int>&) { return use("d"); });
  }

  FakeResources& fake_;
};

}  // namespace tapestry::test
