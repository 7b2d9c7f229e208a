#include "tapestry/concurrent/ref.hpp"

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>
#include <utility>

#include "support/callable.hpp"
#include "support/programs/besides.hpp"
#include "support/programs/in_sequence.hpp"
#include "support/programs/runs.hpp"
#include "support/sanitizers.hpp"
#include "support/threads/on_threads.hpp"
#include "tapestry/raii.hpp"
#include "tapestry/raii/environment.hpp"
#include "tapestry/testing/scheduler.hpp"

using namespace tapestry;
using test::errorOf;

namespace {

int next(const int& n) { return n + 1; }

static_assert(TAPESTRY_MEMBER_CALLABLE(modify, Ref<int>, int (*)(const int&)));
static_assert(TAPESTRY_MEMBER_CALLABLE(modify, Ref<int>, std::pair<int, bool> (*)(const int&)));
static_assert(!TAPESTRY_MEMBER_CALLABLE(modify, Ref<int>, Nothing));
static_assert(!TAPESTRY_MEMBER_CALLABLE(modify, Ref<int>, void (*)(const int&)));

}  // namespace

TEST_CASE("a ref is read, set and modified, and copies are the same") {
  const Ref<std::string> ref("a");
  const Ref<std::string> copy = ref;
  CHECK(ref.get().blockingAwait() == "a");
  copy.set("b").blockingAwait();
  CHECK(ref.modify([](const std::string& s) { return s + "c"; }).blockingAwait() == "bc");
  CHECK(copy.get().blockingAwait() == "bc");
}

TEST_CASE("programs of a ref do nothing until they are run, and afresh in each run") {
  const Ref<int> ref(0);
  const auto program = ref.modify(next);
  const auto setting = ref.set(10);
  CHECK(ref.get().blockingAwait() == 0);
  CHECK(program.blockingAwait() == 1);
  CHECK(program.blockingAwait() == 2);
  setting.blockingAwait();
  CHECK(program.blockingAwait() == 11);
  setting.blockingAwait();
  CHECK(ref.get().blockingAwait() == 10);
}

TEST_CASE("a modification may yield a result besides the new value") {
  const Ref<int> ref(7);
  const auto program =
      ref.modify([](const int& n) { return std::pair(n * 2, std::string("was ") + std::to_string(n)); });
  CHECK(program.blockingAwait() == "was 7");
  CHECK(ref.get().blockingAwait() == 14);
}

TEST_CASE("a modification that throws fails, and changes nothing") {
  const Ref<int> ref(3);
  const auto program = ref.modify([](const int&) -> int { throw std::runtime_error("no"); });
  CHECK(errorOf([&] { return program.blockingAwait(); }) == "no");
  CHECK(ref.get().blockingAwait() == 3);
}

TEST_CASE("a modification that is overtaken begins again with the later value") {
  const Ref<int> ref(1);
  int calls = 0;
  const auto program = ref.modify([&](const int& n) {
    if (++calls == 1) ref.set(100).blockingAwait();
    return n + 1;
  });
  CHECK(program.blockingAwait() == 101);
  CHECK(calls == 2);
}

TEST_CASE("operations of the value may use the ref, for no lock is held meanwhile") {
  const Ref<test::Nosy> ref{test::Nosy()};
  int inner = 0;
  test::Besides besides([&] { static_cast<void>(ref.get().blockingAwait()), ++inner; }, 100);
  static_cast<void>(ref.get().blockingAwait());
  ref.set(test::Nosy()).blockingAwait();
  static_cast<void>(ref.modify([](const test::Nosy& nosy) { return nosy; }).blockingAwait());
  CHECK(inner > 3);
}

TEST_CASE("threads that modify a ref lose no change") {
  const Ref<int> ref(0);
  test::onThreads(4, [&](int) {
    for (int i = 0; i < 20'000; ++i) static_cast<void>(ref.modify(next).blockingAwait());
  });
  CHECK(ref.get().blockingAwait() == 80'000);
}

TEST_CASE("a ref keeps nothing of earlier values") {
  {
    const Ref<test::Counted> ref(test::Counted(1));
    for (int i = 0; i < 10; ++i) ref.set(test::Counted(i)).blockingAwait();
    CHECK(test::Counted::live() == 1);
  }
  CHECK(test::Counted::live() == 0);
}

TEST_CASE("a ref may be modified a million times in sequence") {
  const Ref<int> ref(0);
  const auto modified = test::inSequence([ref] { return ref.modify(next); }, test::million);
  CHECK(modified.flatMap([ref](int) { return ref.get(); }).blockingAwait() == test::million);
}
