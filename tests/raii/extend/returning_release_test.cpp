#include "tapestry/raii/extend/returning_release.hpp"

#include <doctest/doctest.h>

#include <string>
#include <utility>

#include "tapestry/raii.hpp"
#include "tapestry/raii/extend/wait_for.hpp"
#include "tapestry/raii/race.hpp"

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
