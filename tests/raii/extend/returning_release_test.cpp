#include "tapestry/raii/extend/returning_release.hpp"

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "support/programs/runs.hpp"
#include "tapestry/raii.hpp"
#include "tapestry/raii/environment.hpp"
#include "tapestry/raii/extend/wait_for.hpp"
#include "tapestry/raii/race.hpp"
#include "tapestry/raii/scoped.hpp"

using namespace tapestry;

namespace {

/// A ticket of a box, which goes back into the box.
class TicketBack final : public extend::ReturningRelease {
 public:
  explicit TicketBack(std::string& box) : box_(box) {}
  bool takeBack(void* value, const void* type) const noexcept override {
    if (!value) return true;
    if (type != &extend::valueKey<Try<std::string>>) return false;
    box_ += static_cast<Try<std::string>*>(value)->get();
    return true;
  }

 private:
  std::string& box_;
};

/// Takes the ticket out of the box.
Do<std::string> ticketOf(std::string& box) {
  using Acquired = extend::Acquired<std::string>;
  return Do<std::string>(delay([&box] {
    return Acquired{
        Try<std::string>::success(std::exchange(box, {})),
        UnitContinuation<Errors>(extend::Ref<const extend::ProgramNode>(extend::makeRef<TicketBack>(box)))};
  }));
}

}  // namespace

TEST_CASE("a value that a function has got does not go back") {
  std::string box = "ticket";
  const auto program = ticketOf(box).map([](const std::string& ticket) { return ticket.size(); });
  CHECK(program.blockingAwait() == 6);
  CHECK(box.empty());
}

TEST_CASE("a value that the end of a scope has yielded does not go back") {
  std::string box = "ticket";
  CHECK(ticketOf(box).run().blockingAwait() == "ticket");
  CHECK(box.empty());
}

TEST_CASE("the value of the loser of a race goes back") {
  std::string box = "ticket";
  const auto program = race(Do<int>::now(1), ticketOf(box));
  CHECK(program.blockingAwait().index() == 0);
  CHECK(box == "ticket");
}

TEST_CASE("a value that is dropped goes back before the resources that are held beside it are released") {
  std::string box = "ticket";
  std::vector<std::string> seen;
  const auto held = [&](const Do<std::string>& program) {
    return resource(Do<void>::now(), [&] { seen.push_back(box); }).flatMap([program] { return program; });
  };
  const auto once = held(ticketOf(box));
  const auto dropped = [&](const auto& program) {
    seen.clear();
    const auto failing = tupleN(parallel(program), parallel(Do<int>::raiseError("no")));
    CHECK(test::errorOf([&] { static_cast<void>(failing.blockingAwait()); }) == "no");
    CHECK(box == "ticket");
  };
  dropped(once);
  CHECK(seen == std::vector<std::string>{"ticket"});
  const std::vector<std::string> twice{"ticket", "ticket"};
  dropped(held(once));
  CHECK(seen == twice);
  dropped(held(once.named("inner")).attempt());
  CHECK(seen == twice);
  dropped(mask(held(once)).named("outer"));
  CHECK(seen == twice);
}

TEST_CASE("a value that a function has got does not go back, and what is held beside it is released once") {
  std::string box = "ticket";
  int releases = 0;
  const auto held = resource(Do<void>::now(), [&] { ++releases; }).flatMap([&] { return ticketOf(box); });
  CHECK(held.map([](const std::string& ticket) { return ticket.size(); }).blockingAwait() == 6);
  CHECK(box.empty());
  CHECK(releases == 1);
  box = "ticket";
  CHECK(held.blockingAwait() == "ticket");
  CHECK(box.empty());
  CHECK(releases == 2);
  box = "ticket";
  const auto wins = race(held.named("wins"), Do<int>::raiseError("no"));
  CHECK(std::get<0>(wins.blockingAwait()) == "ticket");
  CHECK(box.empty());
  CHECK(releases == 3);
}
