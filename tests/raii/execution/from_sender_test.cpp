#include "support/programs/senders.hpp"
//
#include "tapestry/raii/execution/from_sender.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <tuple>

#include "support/callable.hpp"
#include "support/programs/runs.hpp"
#include "tapestry/continuation/asio/thread_pool.hpp"
#include "tapestry/raii/environment.hpp"
#include "tapestry/raii/execution/as_sender.hpp"
#include "tapestry/raii/mask.hpp"
#include "tapestry/raii/scoped.hpp"
#include "tapestry/raii/tail_rec_m.hpp"
#include "tapestry/testing/scheduler.hpp"

using namespace tapestry;
namespace senders = test::senders;
using execution::asSender;
using execution::fromSender;
using test::Delivery;
using test::errorText;
using test::isError;
using test::outcomeText;

namespace {

/// Completes when the test says so, and, where it listens, as stopped when it is asked to.
struct ByHand {
  struct Waiting {
    virtual void finish(int value) = 0;
    virtual void stop() = 0;

   protected:
    ~Waiting() = default;
  };
  template <class Receiver>
  struct Operation final : Waiting {
    struct Stop {
      void operator()() const noexcept { self->asked(); }
      Operation* self;
    };
    using operation_state_concept = senders::operation_state_t;

    Operation(ByHand& owner, Receiver to) : hand(owner), receiver(std::move(to)) {}
    void start() & noexcept {
      hand.waiting = this;
      callback.emplace(senders::get_stop_token(senders::get_env(receiver)), Stop{this});
    }
    void asked() noexcept {
      ++hand.asked;
      if (hand.listens) stop();
    }
    void finish(int value) override {
      callback.reset();
      senders::set_value(std::move(receiver), value);
    }
    void stop() override {
      callback.reset();
      senders::set_stopped(std::move(receiver));
    }
    ByHand& hand;
    Receiver receiver;
    std::optional<senders::inplace_stop_callback<Stop>> callback;
  };
  struct Sender {
    using sender_concept = senders::sender_t;
    template <class Self, class... Env>
    static consteval senders::completion_signatures<senders::set_value_t(int), senders::set_stopped_t()>
    get_completion_signatures() {
      return {};
    }
    template <class Receiver>
    Operation<Receiver> connect(Receiver receiver) const {
      return Operation<Receiver>(*hand, std::move(receiver));
    }
    ByHand* hand;
  };

  Sender sender() { return {this}; }

  bool listens = true;
  int asked = 0;
  Waiting* waiting = nullptr;
};

/// A sender of an int or of nothing.
struct TwoKinds {
  using sender_concept = senders::sender_t;
  template <class Self, class... Env>
  static consteval senders::completion_signatures<senders::set_value_t(), senders::set_value_t(int)>
  get_completion_signatures() {
    return {};
  }
  auto connect(auto receiver) const { return senders::just().connect(receiver); }
};

/// A sender that cannot be connected.
struct Unconnectable {
  using sender_concept = senders::sender_t;
  template <class Self, class... Env>
  static consteval senders::completion_signatures<senders::set_value_t()> get_completion_signatures() {
    return {};
  }
  struct Operation {
    using operation_state_concept = senders::operation_state_t;
    void start() & noexcept {}
  };
  Operation connect(auto) const { throw std::runtime_error("cannot be connected"); }
};

}  // namespace

static_assert(TAPESTRY_CALLABLE(tapestry::execution::fromSender, decltype(senders::just(1))));
static_assert(!TAPESTRY_CALLABLE(tapestry::execution::fromSender, int));
static_assert(!TAPESTRY_CALLABLE(tapestry::execution::fromSender, TwoKinds));
static_assert(TAPESTRY_CALLABLE(tapestry::execution::asSender, Do<int>));
static_assert(!TAPESTRY_CALLABLE(tapestry::execution::asSender, int));

TEST_CASE("the values of a sender are the value of the program") {
  CHECK(fromSender(senders::just(7)).blockingAwait() == 7);
  static_assert(std::is_same_v<decltype(fromSender(senders::just())), Do<void>>);
  CHECK_NOTHROW(fromSender(senders::just()).blockingAwait());
  const std::tuple<int, std::string> both = fromSender(senders::just(1, std::string("a"))).blockingAwait();
  CHECK(both == std::tuple(1, std::string("a")));
}

TEST_CASE("each run starts the sender afresh") {
  int starts = 0;
  const auto program = fromSender(senders::then(senders::just(), [&starts] { return ++starts; }));
  CHECK(starts == 0);
  CHECK(program.blockingAwait() == 1);
  CHECK(program.blockingAwait() == 2);
}

TEST_CASE("errors of a sender of any type are errors of the program") {
  const auto thrown = std::make_exception_ptr(std::logic_error("as it is"));
  CHECK_THROWS_WITH_AS(fromSender(senders::just_error(thrown)).blockingAwait(), "as it is", std::logic_error);
  CHECK_THROWS_AS(fromSender(senders::just_error(5)).blockingAwait(), int);
  const auto code = std::make_error_code(std::errc::timed_out);
  CHECK_THROWS_AS(fromSender(senders::just_error(code)).blockingAwait(), std::system_error);
  CHECK_THROWS_WITH_AS(fromSender(Unconnectable()).blockingAwait(), "cannot be connected",
                       std::runtime_error);
  const auto handled = fromSender(senders::just_error(5)).map([] { return 1; }).handleError([](const auto&) {
    return Do<int>::now(2);
  });
  CHECK(handled.blockingAwait() == 2);
}

TEST_CASE("a sender that stops cancels the run, which no handler sees") {
  Delivery<void> delivery;
  fromSender(senders::just_stopped())
      .handleError([](const auto&) { return Do<void>::now(); })
      .onComplete(delivery.callback());
  CHECK(outcomeText(delivery.outcome()) == "cancelled");
}

TEST_CASE("a sender that completes later resumes the run") {
  ByHand hand;
  Delivery<int> delivery;
  fromSender(hand.sender()).map([](int x) { return x + 1; }).onComplete(delivery.callback());
  CHECK(delivery.count() == 0);
  hand.waiting->finish(4);
  CHECK(delivery.outcome().get() == 5);
}

TEST_CASE("a request to stop reaches the sender's receiver, and the run waits for its end") {
  ByHand hand;
  StopSource source;
  Delivery<int> delivery;
  fromSender(hand.sender()).onComplete(delivery.callback(), source.token());
  source.requestStop();
  CHECK(hand.asked == 1);
  CHECK(outcomeText(delivery.outcome()) == "cancelled");

  ByHand deaf;
  deaf.listens = false;
  StopSource second;
  Delivery<int> late;
  fromSender(deaf.sender()).onComplete(late.callback(), second.token());
  second.requestStop();
  CHECK(deaf.asked == 1);
  CHECK(late.count() == 0);
  deaf.waiting->finish(3);
  CHECK(late.count() == 1);
  CHECK(outcomeText(late.outcome()) == "cancelled");
}

TEST_CASE("a request before the start starts nothing, and a mask hides one") {
  ByHand hand;
  StopSource source;
  source.requestStop();
  Delivery<int> delivery;
  fromSender(hand.sender()).onComplete(delivery.callback(), source.token());
  CHECK(delivery.outcome().isCancelled());
  CHECK_FALSE(hand.waiting);

  StopSource second;
  Delivery<int> masked;
  mask(fromSender(hand.sender())).onComplete(masked.callback(), second.token());
  second.requestStop();
  CHECK(hand.asked == 0);
  hand.waiting->finish(2);
  CHECK(masked.count() == 1);
}

TEST_CASE("the run continues on its own executor") {
  ThreadPool pool(1);
  ByHand hand;
  Delivery<bool> delivery;
  std::atomic<bool> started = false;
  Do<int>::suspend([&] {
    return fromSender(hand.sender());
  }).map([&](int) {
      return pool.isHere();
    }).onComplete(delivery.callback(), pool);
  Do<void>::delay([&] { started = true; }).onComplete([](auto&&) {}, pool);
  while (!started) std::this_thread::yield();
  hand.waiting->finish(1);
  CHECK(delivery.outcome().get());
}

TEST_CASE("a program that became a sender becomes a program again, and gets requests to stop") {
  CHECK(fromSender(asSender(Do<int>::now(3))).blockingAwait() == 3);
  StopSource source;
  Delivery<int> delivery;
  fromSender(asSender(async<int>([kept = std::make_shared<std::optional<Callback<int>>>()](
                                     Callback<int> callback) {
    kept->emplace(std::move(callback));
  }))).onComplete(delivery.callback(), source.token());
  CHECK(delivery.count() == 0);
  source.requestStop();
  CHECK(delivery.outcome().isCancelled());
}

TEST_CASE("a stop at any step releases what the run and the run inside the sender hold") {
  int open = 0;
  const auto held = [&open](int value) {
    return resource(Do<int>::delay([&open, value] {
                      ++open;
                      return value;
                    }),
                    [&open](int) { return delay([&open] { --open; }); });
  };
  std::string outcomes;
  testing::cancelAtEveryStep(
      [&] {
        return held(1)
            .flatMap([=](int x) { return fromSender(asSender(held(x).flatMap(held))); })
            .flatMap([=](int x) { return held(x + 1); });
      },
      [&](const Outcome<int>& outcome, std::size_t) {
        CHECK(open == 0);
        outcomes += outcome.isCancelled() ? 'c' : 'v';
        if (outcome.hasValue()) CHECK(outcome.get() == 2);
      });
  CHECK(outcomes.size() > 4);
  CHECK(outcomes.front() == 'c');
  CHECK(outcomes.back() == 'v');
}

TEST_CASE("a million senders in turn need no stack") {
  const auto sum = tailRecM(0, [](int i) {
    return fromSender(senders::just(i)).map([](int x) {
      return x < 1'000'000 ? Step<int, int>::next(x + 1) : Step<int, int>::done(x);
    });
  });
  CHECK(sum.blockingAwait() == 1'000'000);
}

TEST_CASE("a request to stop and the end of a sender may come from two threads") {
  for (int i = 0; i < 200; ++i) {
    ThreadPool pool(1);
    StopSource source;
    Delivery<int> delivery;
    fromSender(asSender(delay([] { return 1; }), pool)).onComplete(delivery.callback(), source.token());
    source.requestStop();
    auto& outcome = delivery.outcome();
    CHECK((outcome.isCancelled() || outcome.get() == 1));
  }
}
