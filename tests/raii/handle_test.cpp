#include "tapestry/raii/handle.hpp"

#include <doctest/doctest.h>

#include <string>

#include "support/programs/runs.hpp"
#include "tapestry/raii/do.hpp"
#include "tapestry/raii/scoped.hpp"

using namespace tapestry;
using test::Counted;
using test::errorOf;

TEST_CASE("a handle gives access to the value of its scope") {
  const auto program = scoped([] { return std::string("text"); }).map([](const Handle<std::string>& handle) {
    *handle += "!";
    return *handle + std::to_string(handle->size());
  });
  CHECK(program.blockingAwait() == "text!5");
}

TEST_CASE("copies of a handle mean the same value") {
  const auto program = scoped([] { return 1; }).map([](const Handle<int>& handle) {
    const Handle<int> copy = handle;
    *copy = 2;
    return *handle;
  });
  CHECK(program.blockingAwait() == 2);
}

TEST_CASE("a handle means a value whose type has an operator & too") {
  struct Hidden {
    void operator&() const = delete;
    int value;
    std::string padding = std::string(100, '.');
    std::string more = padding;
  };
  const auto program =
      scoped([] { return Hidden{3}; }).map([](const Handle<Hidden>& handle) { return handle->value; });
  CHECK(program.blockingAwait() == 3);
}

TEST_CASE("a handle that is read after its scope has ended is a checked error") {
  const auto escaped = scoped([] { return Counted(7); }).blockingAwait();
  CHECK(Counted::live() == 0);
  CHECK_THROWS_AS(*escaped, std::logic_error);
  CHECK_THROWS_AS(escaped->value(), std::logic_error);
  CHECK(errorOf([&] { *escaped; }).starts_with("tapestry::Handle: the value was read after its release"));
}

TEST_CASE("within a run, a handle from an inner scope that has ended is an error that handleError sees") {
  const auto program = scoped([] { return 1; })
                           .run()
                           .map([](const Handle<int>& handle) { return *handle; })
                           .handleError([](const std::exception_ptr&) { return Do<int>::now(-1); });
  CHECK(program.blockingAwait() == -1);
}

TEST_CASE("each run has a separate value behind its handle") {
  const auto program = scoped([] { return 1; }).map([](const Handle<int>& handle) { return ++*handle; });
  CHECK(program.blockingAwait() == 2);
  CHECK(program.blockingAwait() == 2);
}
