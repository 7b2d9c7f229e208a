#include "traverse/traversal.hpp"

#include <ranges>
#include <stdexcept>

#include "collective_call.hpp"
#include "tapestry/continuation/clock.hpp"
#include "tapestry/continuation/sleep_for.hpp"
#include "tapestry/continuation/stop_callback.hpp"
#include "tapestry/continuation/stop_token.hpp"
#include "tapestry/distributed/par_traverse_ranks.hpp"
#include "tapestry/distributed/rank_error.hpp"
#include "tapestry/raii.hpp"
#include "tapestry/raii/par_traverse.hpp"
#include "tapestry/raii/race.hpp"
#include "tapestry/raii/repeat.hpp"
#include "tapestry/raii/timeout.hpp"

namespace tapestry::detail {

namespace {

/// The time after which a silent rank is lost: the time limit and an interval, or the greatest duration.
Clock::Duration silenceLimit(const AnyCommunicator& communicator) {
  const auto limit = communicator.timeLimit(), more = aliveInterval(communicator);
  return limit < Clock::Duration::max() - more ? limit + more : Clock::Duration::max();
}

}  // namespace

Do<void> Traversal::tell(TraverseReport report, std::uint64_t number, std::string text) {
  return communicator_.send(toBytes(TraverseMessage{report, number, std::move(text)}), 0, traverseUpTag);
}

Do<void> Traversal::element(std::size_t index) {
  const auto self = shared_from_this();
  const auto run = Do<Bytes>::suspend([self, index] { return self->body_(index); }).run().attempt();
  return race(run, failed_.wait()).flatMap([self, index](const std::variant<Try<Bytes>, Unit>& end) {
    if (end.index() == 1) return Do<void>::now();
    const Try<Bytes>& result = std::get<0>(end);
    if (!result.hasValue()) return self->tell(TraverseReport::failed, index, textOf(result.error()));
    {
      const std::lock_guard lock(self->mutex_);
      self->own_.emplace_back(index, result.get());
    }
    return self->tell(TraverseReport::finished, index);
  });
}

Do<void> Traversal::lane() {
  const auto self = shared_from_this();
  const auto step = [self](const Message& message) {
    const auto index = fromBytes<std::optional<std::uint64_t>>(message.bytes);
    if (!index) return Do<bool>::now(true);
    return self->element(*index).map([] { return false; });
  };
  const auto round = tell(TraverseReport::idle, count_).flatMap([self, step] {
    return self->communicator_.receive(0, traverseWorkTag).flatMap(step);
  });
  return repeatUntil(round, [](bool over) { return over; }).map([](bool) {});
}

Do<Message> Traversal::inTime(const Do<Message>& receive) {
  return timeout(receive, silenceLimit(communicator_))
      .handleError([self = shared_from_this()](const std::exception_ptr& error) {
        if (!errorAs<TimeoutError>(error)) return Do<Message>::raiseError(error);
        const std::lock_guard lock(self->mutex_);
        self->isRootLost_ = true;
        return Do<Message>::raiseError(
            RankError("tapestry::parTraverseRanks: rank 0 was not heard from within the time limit", {0}));
      });
}

Do<void> Traversal::failWith(const std::exception_ptr& error) {
  const std::lock_guard lock(mutex_);
  const auto failing = Do<void>::raiseError(error);
  if (!isRootLost_ && !(verdict_ && verdict_->areLost)) return failing;
  // the others' barrier must not succeed
  if (isLost())
    return tapestry::lift(sleepFor(silenceLimit(communicator_))).flatMap([failing] { return failing; });
  return communicator_.barrier().attempt().flatMap([failing](const Try<void>&) { return failing; });
}

Do<TraverseVerdict> Traversal::hear() {
  const auto next = inTime(communicator_.receive(0, traverseControlTag)).map([](const Message& message) {
    return fromBytes<std::optional<TraverseVerdict>>(message.bytes);
  });
  return repeatUntil(next, [](const auto& verdict) { return verdict.has_value(); })
      .map([](const auto& verdict) { return *verdict; });
}

Do<void> Traversal::watch() {
  return hear().map([self = shared_from_this()](const TraverseVerdict& verdict) {
    const std::lock_guard lock(self->mutex_);
    self->verdict_ = verdict;
    if (self->isLost()) throw RankError(verdict.text, verdict.ranks);
    if (!verdict.isSuccess()) self->failed_.set();
  });
}

Do<void> Traversal::end() {
  const auto self = shared_from_this();
  over_.set();
  return told_.wait()
      .flatMap([self] { return self->tell(TraverseReport::last, 0); })
      .flatMap([self] { return self->hear(); })
      .map([self](const TraverseVerdict& last) {
        const std::lock_guard lock(self->mutex_);
        if (self->verdict_->isSuccess()) self->verdict_ = last;
        self->verdict_->areLost = last.areLost;
      });
}

Do<void> Traversal::exchange() {
  const auto self = shared_from_this();
  const std::lock_guard lock(mutex_);
  if (!verdict_->isSuccess()) return Do<void>::raiseError(RankError(verdict_->text, verdict_->ranks));
  return communicator_.allGather(toBytes(own_)).map([self](const std::vector<Bytes>& ranks) {
    self->all_.resize(self->count_);
    for (const auto& bytes : ranks)
      for (auto& [index, value] : fromBytes<std::vector<Result>>(bytes))
        self->all_.at(index) = std::move(value);
  });
}

Do<void> Traversal::main() {
  const auto self = shared_from_this();
  const auto lanes = parForEach(std::vector<int>(std::min(limit_, std::max<std::size_t>(count_, 1))), limit_,
                                [self](int) { return self->lane(); });
  const auto work = tuple2(parallel(watch()), parallel(lanes)).map([](const auto&) {});
  const auto alive = forever(tapestry::lift(sleepFor(aliveInterval(communicator_))).flatMap([self] {
    return self->tell(TraverseReport::alive, 0);
  }));
  // without `attempt`, an error of `work` would not end the race, and `alive` would run forever
  const auto body = race(work.attempt(), alive)
                        .map([](const auto& end) { Try<void>(std::get<0>(end)).valueOrThrow(); })
                        .flatMap([self] { return self->end(); })
                        .flatMap([self] { return self->exchange(); });
  if (communicator_.rank() != 0) return body;
  // the other ranks need the root also when rank 0 has failed
  const auto root = mask(std::make_shared<TraverseRoot>(communicator_, count_)->run());
  return tuple2(parallel(body), parallel(root)).map([](const auto&) {});
}

Do<Try<void>> Traversal::tellStop() {
  const auto self = shared_from_this();
  return race(asked_.wait(), over_.wait())
      .flatMap([self](const std::variant<Unit, Unit>& end) {
        return end.index() == 0 ? self->tell(TraverseReport::stopped, 0) : Do<void>::now();
      })
      .attempt()
      .map([self](const Try<void>& told) {
        self->told_.set();
        return told;
      });
}

Do<void> Traversal::work() {
  const auto self = shared_from_this();
  const auto whole =
      main().handleError([self](const std::exception_ptr& error) { return self->failWith(error); });
  const auto working = ensure(whole, Do<void>::delay([self] { self->over_.set(); }));
  return tuple2(parallel(working), parallel(tellStop())).map([](const auto& ends) {
    Try<void>(std::get<1>(ends)).valueOrThrow();
  });
}

Do<std::vector<Bytes>> Traversal::run() {
  const auto self = shared_from_this();
  // taken outside the mask, in which it would get no request
  return Do<StopToken>::lift(UnitContinuation<StopToken>(stopToken()))
      .flatMap([self](const StopToken& token) {
        const auto ask = [asked = self->asked_] { asked.set(); };
        using Listening = StopCallback<decltype(ask)>;
        const auto listening = scoped([token, ask] { return std::make_unique<Listening>(token, ask); });
        return mask(listening.flatMap([self](const auto&) { return self->work(); }).run());
      })
      .map([self] { return std::move(self->all_); });
}

Do<std::vector<Bytes>> traverseRanks(const AnyCommunicator& communicator, std::size_t count,
                                     std::size_t limit, std::function<Do<Bytes>(std::size_t)> body) {
  if (limit == 0)
    throw std::invalid_argument(
        "tapestry::parTraverseRanks: the limit is too small, got 0, expected 1 or more");
  return Do<std::vector<Bytes>>::suspend([communicator, count, limit, body] {
    if (communicator.size() > 1) return std::make_shared<Traversal>(communicator, count, limit, body)->run();
    return parTraverse(std::views::iota(std::size_t{0}, count), limit,
                       [body](std::size_t index) { return body(index).run(); });
  });
}

}  // namespace tapestry::detail
