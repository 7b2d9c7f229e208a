#include "tapestry/concurrent/dispatcher.hpp"

#include <optional>
#include <utility>

#include "tapestry/raii/ensure.hpp"
#include "tapestry/raii/scoped.hpp"

namespace tapestry {

namespace detail {

namespace {

using Postings = Channel<Ref<Posting>>;

/// Starts the program of the posting, and yields the cell that its end completes, or null. Does not look for
/// a request to stop, which would lose the posting.
class [[nodiscard("a program does nothing until it is run")]] StartPosting
    : public ProgramOperations<StartPosting> {
 public:
  using ValueType = extend::Acquired<Ref<CompletionCell>>;

  StartPosting(Ref<Posting> posting, Ref<SupervisorState> supervisor)
      : posting_(std::move(posting)), supervisor_(std::move(supervisor)) {}

  void step(Run& run, Keeper keeper) const {
    const Keeper kept = std::move(keeper);
    run.put(ValueType{Try<Ref<CompletionCell>>::of([&] { return posting_->start(supervisor_, run); }), {}});
  }

 private:
  Ref<Posting> posting_;
  Ref<SupervisorState> supervisor_;
};

Do<void> startNext(const Postings& postings, const Ref<SupervisorState>& supervisor, bool waits) {
  return postings.receiveOrEnd().flatMap([=](std::optional<Ref<Posting>> posting) -> Do<void> {
    if (!posting) return Do<void>::now();
    return Do<Ref<CompletionCell>>(StartPosting(*std::move(posting), supervisor))
        .flatMap([=](Ref<CompletionCell> ended) -> Do<void> {
          if (!waits || !ended) return startNext(postings, supervisor, waits);
          return extend::waitFor<void, EndWaiter>(std::move(ended), "Dispatcher: a posted program", {})
              .flatMap([=] { return startNext(postings, supervisor, waits); });
        });
  });
}

}  // namespace

}  // namespace detail

namespace {

/// Refuses and drops what has been posted and not started.
void drop(const detail::Postings& postings) {
  postings.close();
  while (postings.tryReceive()) {
  }
}

}  // namespace

Do<void> Dispatcher::startAll(const Supervisor& supervisor, DispatcherOptions::Order order) const {
  const bool waits = order == DispatcherOptions::Order::sequential;
  const auto end = Do<void>::delay([postings = state_->postings] { drop(postings); });
  return ensure(detail::startNext(state_->postings, supervisor.state_, waits), end);
}

Do<Dispatcher> Dispatcher::scoped(DispatcherOptions options, detail::Location location) {
  // an executor may refuse the child that would drop what it does not start
  const auto dropRest = [](const Dispatcher& dispatcher) { drop(dispatcher.state_->postings); };
  return resource(Do<Dispatcher>::delay([options] { return Dispatcher(options); }), dropRest)
      .flatMap([options, location](const Dispatcher& dispatcher) {
        return Supervisor::scoped({.onExit = options.onExit}, location)
            .flatMap([dispatcher, options, location](const Supervisor& supervisor) {
              const bool cancels = options.onExit == SupervisorOptions::OnExit::cancel;
              const auto close = [cancels, supervisor](const Dispatcher& closing) {
                if (cancels) supervisor.requestStop();  // before the rest of the programs could start
                closing.state_->postings.close();
              };
              return resource(Do<Dispatcher>::now(dispatcher), close)
                  .flatMap([supervisor, options, location](const Dispatcher& open) {
                    return supervisor.spawn(open.startAll(supervisor, options.order), "dispatcher", location)
                        .map([open](const Task<void>&) { return open; });
                  });
            });
      });
}

}  // namespace tapestry
